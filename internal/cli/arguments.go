package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/plain"
	"gander/internal/toolset"
)

func newToolCmd(c toolCommand) *cobra.Command {
	cmd := newCommand(c.name)
	cmd.SuggestFor, cmd.Annotations = strings.Fields(c.suggestFor), adviceFor(c.name)
	src := newSource(cmd).withConfinement()
	args := map[string]any{}
	for _, f := range c.flags {
		f.add(cmd.Flags(), args)
	}
	completeValues(cmd, "type", slices.Sorted(maps.Keys(fileTypes())))
	for _, f := range c.flags {
		completeValues(cmd, strings.Fields(f.names)[0], f.words)
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

// completeValues lets shells complete the values of a flag, if the command has it.
func completeValues(cmd *cobra.Command, flag string, values []string) {
	if cmd.Flags().Lookup(flag) != nil && len(values) > 0 {
		complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // it may have one
	}
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
	allowed := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	r.colors = color == "always" || color != "never" && allowed
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
	if r.tool == readTool {
		if err := checkNumbers(ts, words); err != nil {
			return nil, err
		}
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

// checkNumbers returns an error about paths that are the numbers of lines: of a path before them, or
// after one.
func checkNumbers(ts *gander.Toolset, paths []string) error {
	isNumber := func(path string) bool {
		_, err := strconv.Atoi(path)
		return err == nil && !exists(ts, path)
	}
	switch {
	case len(paths) == 3 && isNumber(paths[1]) && isNumber(paths[2]):
		return fmt.Errorf("lines %[2]s to %[3]s are %[1]s:%[2]s-%[3]s", paths[0], paths[1], paths[2])
	case len(paths) == 2 && isNumber(paths[1]):
		return fmt.Errorf("line %[2]s is %[1]s:%[2]s-%[2]s", paths[0], paths[1])
	case len(paths) == 2 && isNumber(paths[0]):
		return fmt.Errorf("the first %[2]s lines are %[1]s:1-%[2]s", paths[1], paths[0])
	default:
		return nil
	}
}

// exists reports whether a path relative to the first root exists.
func exists(ts *gander.Toolset, path string) bool {
	_, err := fs.Stat(ts.FS(), path)
	return err == nil
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
