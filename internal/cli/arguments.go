package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/plain"
	"gander/internal/toolset"
)

func newToolCmd(c toolCommand) *cobra.Command {
	cmd := newCommand(c.name)
	cmd.SuggestFor, cmd.Annotations = strings.Fields(c.suggestFor), make(map[string]string)
	for _, a := range c.advice {
		for flag := range strings.FieldsSeq(a.flags) {
			cmd.Annotations[flag] = a.use
		}
	}
	src := newSource(cmd).withConfinement()
	args := map[string]any{}
	for _, f := range c.flags {
		f.add(cmd.Flags(), args)
	}
	cmd.RunE = src.run(func(cmd *cobra.Command, ts *gander.Toolset, words []string) error {
		r := &toolRun{cmd: cmd, tool: c.tool, args: args}
		r.parseForm()
		paths, err := r.parse(ts, words)
		if err != nil {
			return seeHelp(cmd, err)
		}
		return r.run(ts, paths)
	})
	return cmd
}

// take removes an argument and returns it.
func (r *toolRun) take(name string) any {
	value := r.args[name]
	delete(r.args, name)
	return value
}

// parseForm takes the arguments that determine the form of the results.
func (r *toolRun) parseForm() {
	r.quiet = r.take("-q") == true
	r.form.Null = r.take("-0") == true
	r.form.JSON = r.take("-json") == true
	r.form.WithPath = r.take("-H") == true
	r.form.WithoutPath = r.take("-I") == true
	r.form.WithoutNumber = r.take("-N") == true
	r.forced = r.form != plain.Options{}
	color := r.take("-color")
	r.form.Color = color == "always"
}

// parse replaces the arguments that the tool does not have, and adds the pattern of words. It
// returns the other words, which are paths.
func (r *toolRun) parse(ts *gander.Toolset, words []string) (paths []string, err error) {
	patterns, _ := r.take("-e").([]string)
	extensions, _ := r.take("-x").([]string)
	types, _ := r.take("-t").([]string)
	globs, _ := r.take("glob").([]string)
	name, usage, _ := strings.Cut(r.cmd.Use, " ")
	switch {
	case len(words) == 0 && r.tool == readTool && isInput(r.cmd.InOrStdin()):
	case len(words) == 0 && patterns == nil && usage[0] != '[':
		return nil, fmt.Errorf("%s takes %s, but got 0", name, usage)
	case len(words) > 1 && words[0] == "." && extensions != nil:
		words = words[1:] // "." is the pattern of fd that matches every name.
	case len(words) == 2 && name == "find" && isDir(ts, words[0]) && !isDir(ts, words[1]):
		patterns, words = words[1:], words[:1] // as for find
	case len(words) > 0 && patterns == nil && extensions == nil && strings.Contains(usage, "PATTERN"):
		patterns, words = words[:1], words[1:]
	}
	if extensions != nil {
		patterns = []string{anyExtension(extensions)}
	}
	isWord := r.take("-w") == true
	switch {
	case len(patterns) > 1 || isWord:
		r.args["pattern"] = alternatives(patterns, r.take("literal") == true, isWord)
	case len(patterns) == 1:
		r.args["pattern"] = patterns[0]
	}
	if types != nil {
		if globs, err = addTypes(types, globs); err != nil {
			return nil, err
		}
	}
	if globs != nil {
		r.args["glob"] = strings.Join(globs, "\n")
	}
	return words, nil
}

// isDir reports whether a path is a directory of the workspace.
func isDir(ts *gander.Toolset, path string) bool {
	_, err := (*toolset.Toolset)(ts).Find(path)
	return err == nil
}

// anyExtension returns a pattern for names with any of the extensions.
func anyExtension(extensions []string) string {
	for i, e := range extensions {
		extensions[i] = strings.TrimPrefix(e, ".")
	}
	if len(extensions) == 1 {
		return "*." + extensions[0]
	}
	return "*.{" + strings.Join(extensions, ",") + "}"
}

// alternatives returns a pattern that matches any of patterns.
func alternatives(patterns []string, isLiteral, isWord bool) string {
	var parts []string
	for _, pattern := range patterns {
		if isLiteral {
			pattern = regexp.QuoteMeta(pattern)
		}
		parts = append(parts, "(?:"+pattern+")")
	}
	pattern := strings.Join(parts, "|")
	if isWord {
		pattern = `\b{start-half}(?:` + pattern + `)\b{end-half}`
	}
	return pattern
}

// addTypes returns the globs of types, followed by others, which must exclude files.
func addTypes(types, others []string) (globs []string, err error) {
	for _, glob := range others {
		if !strings.HasPrefix(glob, "!") {
			return nil, fmt.Errorf(
				"-t and -g %s both select files; give one of them, or -g '!GLOB' to exclude", glob)
		}
	}
	known := fileTypes()
	for _, name := range types {
		glob, ok := known[name]
		if !ok {
			names := slices.Sorted(maps.Keys(known))
			err := fmt.Errorf("unknown type %q; use -g '*.%s', or one of %s",
				name, name, strings.Join(names, ", "))
			return nil, didYouMean(err, "", suggest(name, names))
		}
		globs = append(globs, glob)
	}
	return append(globs, others...), nil
}
