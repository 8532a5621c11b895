package cli

import "strings"

// equivalent is what a model would call.
func (c *treeCmd) equivalent() equivalent {
	abs := c.absolute()
	switch c.as {
	case "codex":
		e := equivalent{id: "codex/list_dir", args: map[string]any{"dir_path": abs}, lacks: []string{"dirs", "ignore", "gitignore", "dirsfirst"}}
		e.set(c.view, "level", "depth", c.Depth)
		e.set(c.view, "limit", "limit", c.limit)
		return e
	case "gemini":
		e := equivalent{id: "gemini/list_directory", args: map[string]any{"path": abs}, lacks: []string{"level", "limit", "dirs"}}
		e.set(c.view, "ignore", "ignore", c.globs())
		if c.cmd.Flags().Changed("gitignore") {
			e.args["file_filtering_options"] = map[string]bool{"respect_git_ignore": c.Ignore}
		}
		return e
	case "forge":
		e := equivalent{id: "forge/list_directory", args: map[string]any{"path": c.relative(), "recursive": true}, lacks: []string{"ignore", "gitignore", "dirsfirst"}}
		e.set(c.view, "level", "max_depth", c.Depth)
		e.set(c.view, "limit", "max_entries", c.limit)
		e.set(c.view, "all", "include_hidden", c.Hidden)
		if c.Directories {
			e.args["include_files"], e.args["include_symlinks"] = false, false
		}
		return e
	default:
		e := equivalent{id: "toolkit/tree", args: map[string]any{"path": c.relative(), "entry_kind": "all"}, lacks: []string{"gitignore"}}
		if c.Directories {
			e.args["entry_kind"] = "directory"
		}
		e.set(c.view, "level", "max_depth", c.Depth)
		e.set(c.view, "limit", "max_entries", c.limit)
		e.set(c.view, "all", "include_hidden", c.Hidden)
		e.set(c.view, "ignore", "exclude", c.globs())
		return e
	}
}

func (c *treeCmd) globs() []string {
	var globs []string
	for _, patterns := range c.Exclude {
		globs = append(globs, strings.Split(patterns, "|")...)
	}
	return globs
}

// equivalent is what a model would call.
func (c *lsCmd) equivalent() equivalent {
	t := &treeCmd{view: c.view, Options: c.Options}
	e := t.equivalent()
	e.lacks = append(e.lacks, "sort", "reverse")
	switch c.as {
	case "codex":
		e.args["depth"] = 1
	case "forge":
		delete(e.args, "recursive")
	case "toolkit":
		e.args["max_depth"] = 1
	}
	return e
}

// equivalent is what a model would call.
func (c *readCmd) equivalent() equivalent {
	e := equivalent{
		id:    "codex/read_file",
		args:  map[string]any{"file_path": c.absolute()},
		lacks: []string{"encoding", "plain"},
	}
	if c.first > 0 {
		e.args["offset"] = c.first
	}
	if c.last > 0 {
		e.args["limit"] = c.last - c.first + 1
	}
	e.set(c.view, "limit", "limit", c.limit)
	if c.around > 0 {
		block := map[string]any{"anchor_line": c.around}
		if c.cmd.Flags().Changed("levels") {
			block["max_levels"] = c.levels
		}
		e.args["mode"], e.args["indentation"] = "indentation", block
	}
	return e
}
