package cli

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
	"gander/tool"
)

// newToolCmds returns the commands that call a tool.
func newToolCmds() []*cobra.Command {
	var cmds []*cobra.Command
	specs := allTools()
	for _, c := range toolCommands() {
		i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.ID == c.id })
		cmds = append(cmds, c.command(specs[i].Description))
	}
	return cmds
}

func (c toolCommand) command(description string) *cobra.Command {
	var examples []string
	for _, words := range c.examples {
		examples = append(examples, strings.TrimSpace("  gander "+c.name+" "+words))
	}
	cmd := &cobra.Command{
		Use:   c.name + " " + c.words,
		Short: c.short,
		Long: wrap(description, "") + `
If standard output is not a terminal, headings and notes go to standard error,
and nothing is cut unless --limit is given.`,
		Example:    "  " + strings.Join(examples, "\n  "),
		SuggestFor: strings.Fields(c.suggestFor),
	}
	src := newSource(cmd)
	args := map[string]any{}
	for _, f := range c.flags {
		f.add(cmd, args)
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return c.flagError(cmd, err) })
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		if len(words) < c.min && args[patternsArgument] == nil {
			return seeHelp(cmd, fmt.Errorf("%s takes %s, but got %d", c.name, c.words, len(words)))
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		hasPattern := args[patternsArgument] != nil || args[extensionsArgument] != nil
		if c.patterns > 0 && len(words) > 0 && !hasPattern {
			args["pattern"], words = words[0], words[1:]
		}
		if err := errors.Join(finishFind(args), finishSearch(args)); err != nil {
			return seeHelp(cmd, err)
		}
		return c.run(cmd, src, args, words)
	}
	return cmd
}

// finishFind replaces the arguments of find that the tool does not have.
func finishFind(args map[string]any) error {
	if kind, ok := args["kind"].(string); ok {
		args["kind"] = map[string]string{"f": "file", "d": "directory", "dir": "directory"}[kind]
		if args["kind"] == "" {
			args["kind"] = kind
		}
	}
	if list, ok := args[extensionsArgument].(string); ok {
		var globs []string
		for extension := range strings.SplitSeq(list, "\n") {
			globs = append(globs, "*."+strings.TrimPrefix(extension, "."))
		}
		args["pattern"] = globs[0]
		if len(globs) > 1 {
			args["pattern"] = "{" + strings.Join(globs, ",") + "}"
		}
		delete(args, extensionsArgument)
	}
	return nil
}

// finishSearch replaces the arguments of search that the tool does not have.
func finishSearch(args map[string]any) error {
	patterns, several := args[patternsArgument].(string)
	if !several {
		patterns, _ = args["pattern"].(string)
	}
	if several || args[wordArgument] == true {
		var parts []string
		for pattern := range strings.SplitSeq(patterns, "\n") {
			if args["literal"] == true {
				pattern = regexp.QuoteMeta(pattern)
			}
			parts = append(parts, "(?:"+pattern+")")
		}
		pattern := strings.Join(parts, "|")
		if args[wordArgument] == true {
			pattern = `\b{start-half}(?:` + pattern + `)\b{end-half}`
		}
		args["pattern"] = pattern
		delete(args, "literal")
	}
	delete(args, patternsArgument)
	delete(args, wordArgument)
	if list, ok := args[typesArgument].(string); ok {
		globs, err := typeGlobs(list)
		if err != nil {
			return err
		}
		if more, ok := args["glob"].(string); ok {
			for glob := range strings.SplitSeq(more, "\n") {
				if !strings.HasPrefix(glob, "!") {
					return fmt.Errorf(
						"-t and -g %s both select files; give one of them, or -g '!GLOB' to exclude", glob)
				}
			}
			globs += "\n" + more
		}
		args["glob"] = globs
		delete(args, typesArgument)
	}
	return nil
}

// typeGlobs returns the globs of types, one a line.
func typeGlobs(list string) (string, error) {
	var globs []string
	for name := range strings.SplitSeq(list, "\n") {
		glob, ok := fileTypes()[name]
		if !ok {
			known := slices.Sorted(maps.Keys(fileTypes()))
			err := fmt.Errorf("unknown type %q; use -g '*.%s', or one of %s",
				name, name, strings.Join(known, ", "))
			return "", didYouMean(err, suggest(name, known))
		}
		globs = append(globs, glob)
	}
	return strings.Join(globs, "\n"), nil
}

// maxPaths is the maximum number of paths in one call.
const maxPaths = 50

// run calls the tool and prints the result. A call has at most maxPaths of the paths.
func (c toolCommand) run(
	cmd *cobra.Command, src *source, args map[string]any, paths []string,
) error {
	o, problems := src.load()
	if len(problems) > 0 {
		return problems[0]
	}
	p := printer{cmd: cmd, piped: !terminal.Is(cmd.OutOrStdout()), null: args[nullArgument] == true}
	delete(args, nullArgument)
	size := maxPaths
	if p.piped {
		p.unlimit(&o, args, c.id)
		if c.id == readTool {
			size = 1
		}
	}
	ts, err := src.openWith(o)
	if err != nil {
		return err
	}
	defer ts.Close()
	if len(paths) == 0 {
		err = p.call(ts, c.id, args)
	}
	for batch := range slices.Chunk(escapeLineFeeds(paths), size) {
		if err != nil {
			p.failed = true
			printError(cmd, err)
		}
		args["path"] = strings.Join(batch, "\n")
		err = p.call(ts, c.id, maps.Clone(args))
	}
	switch {
	case err != nil && !p.found:
		return err
	case err != nil:
		printError(cmd, err)
		fallthrough
	case p.failed:
		return failure{errors.New("not done for every path; see above")}
	case !p.found:
		return errNothingFound
	}
	return nil
}

// escapeLineFeeds returns paths as the tools read them, one a line.
func escapeLineFeeds(paths []string) []string {
	escaped := slices.Clone(paths)
	for i, path := range paths {
		escaped[i] = strings.ReplaceAll(path, "\n", `\n`)
	}
	return escaped
}
