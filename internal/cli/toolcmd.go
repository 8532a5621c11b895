package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
)

func (c toolCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   c.name + " " + c.words,
		Short: c.short,
		Long: c.short + `.

If standard output is not a terminal, headings and notes go to standard error,
and results are complete unless --limit is given.`,
		SuggestFor: strings.Fields(c.suggestFor),
	}
	for _, words := range c.examples {
		cmd.Example += strings.TrimRight("\n  gander "+c.name+" "+words, " ")
	}
	cmd.Example = strings.TrimPrefix(cmd.Example, "\n")
	src := newSource(cmd)
	args := map[string]any{}
	for _, f := range c.flags {
		f.add(cmd.Flags(), args)
	}
	cmd.SetFlagErrorFunc(c.flagError)
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
		if args[extensionsArgument] != nil && len(words) > 1 && words[0] == "." {
			words = words[1:] // "." is the pattern of fd that matches every name.
		}
		if err := replaceArguments(args); err != nil {
			return seeHelp(cmd, err)
		}
		return c.run(cmd, src, args, words)
	}
	return cmd
}

// replaceArguments replaces the arguments that the tools do not have, but not those of a printer.
func replaceArguments(args map[string]any) error {
	if kind, ok := args["kind"].(string); ok {
		kinds := map[string]string{"f": "file", "d": "directory", "dir": "directory"}
		args["kind"] = cmp.Or(kinds[kind], kind)
	}
	if list, ok := args[extensionsArgument].(string); ok {
		extensions := strings.TrimPrefix(strings.ReplaceAll(list, "\n.", "\n"), ".")
		args["pattern"] = "*." + extensions
		if strings.Contains(extensions, "\n") {
			args["pattern"] = "*.{" + strings.ReplaceAll(extensions, "\n", ",") + "}"
		}
		delete(args, extensionsArgument)
	}
	patterns, several := args[patternsArgument].(string)
	if several && !strings.Contains(patterns, "\n") {
		args["pattern"], several = patterns, false
		delete(args, patternsArgument)
	}
	if several || args[wordArgument] == true {
		if !several {
			patterns, _ = args["pattern"].(string)
		}
		args[typedArgument] = patterns
		args["pattern"] = alternatives(patterns, args["literal"] == true, args[wordArgument] == true)
		delete(args, "literal")
		delete(args, patternsArgument)
		delete(args, wordArgument)
	}
	if list, ok := args[typesArgument].(string); ok {
		others, _ := args["glob"].(string)
		globs, err := addTypes(list, others)
		if err != nil {
			return err
		}
		args["glob"] = globs
		delete(args, typesArgument)
	}
	return nil
}

// alternatives returns a pattern that matches any of patterns, which has one per line.
func alternatives(patterns string, isLiteral, isWord bool) string {
	var parts []string
	for pattern := range strings.SplitSeq(patterns, "\n") {
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

// addTypes returns the globs of types, followed by others, which must exclude files. Each list has
// one entry per line.
func addTypes(types, others string) (string, error) {
	for glob := range strings.SplitSeq(others, "\n") {
		if glob != "" && glob[0] != '!' {
			return "", fmt.Errorf(
				"-t and -g %s both select files; give one of them, or -g '!GLOB' to exclude", glob)
		}
	}
	var globs []string
	for name := range strings.SplitSeq(types, "\n") {
		glob, ok := fileTypes()[name]
		if !ok {
			known := slices.Sorted(maps.Keys(fileTypes()))
			err := fmt.Errorf("unknown type %q; use -g '*.%s', or one of %s",
				name, name, strings.Join(known, ", "))
			return "", didYouMean(err, suggest(name, known))
		}
		globs = append(globs, glob)
	}
	return strings.TrimSuffix(strings.Join(append(globs, others), "\n"), "\n"), nil
}

// maxPaths is the maximum number of paths in one call.
const maxPaths = 50

// run calls the tool and prints the result. A call has at most maxPaths of the paths.
func (c toolCommand) run(
	cmd *cobra.Command, src *source, args map[string]any, paths []string,
) error {
	o, err := src.load()
	if err != nil {
		return err
	}
	p := printer{cmd: cmd, piped: !terminal.Is(cmd.OutOrStdout()), null: args[nullArgument] == true}
	p.typed, _ = args[typedArgument].(string)
	delete(args, nullArgument)
	delete(args, typedArgument)
	size := maxPaths
	if p.piped {
		p.unlimit(&o, args, c.id)
		if c.id == readTool {
			size = 1
		}
	}
	ts, err := src.open(o)
	if err != nil {
		return err
	}
	defer ts.Close()
	if len(paths) == 0 {
		paths = []string{""} // the first root
	}
	for batch := range slices.Chunk(paths, size) {
		if err != nil {
			p.failed = true
			printError(cmd, err)
		}
		// The tools read one path per line. No path has a NUL byte.
		escaped := strings.ReplaceAll(strings.Join(batch, "\x00"), "\n", `\n`)
		args["path"] = strings.ReplaceAll(escaped, "\x00", "\n")
		err = p.call(ts, c.id, maps.Clone(args))
		if _, ok := errors.AsType[failure](err); ok {
			return err // The result cannot be written.
		}
	}
	switch {
	case err != nil && !p.found:
		return err
	case err != nil:
		printError(cmd, err)
		fallthrough
	case p.failed:
		return failure{errors.New("some paths failed; see above")}
	case !p.found:
		return errNothingFound
	}
	return nil
}
