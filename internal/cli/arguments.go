package cli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
)

func newToolCmd(name string, c toolCommand) *cobra.Command {
	cmd := newCommand(name)
	cmd.Long += `.

If standard output is not a terminal, headings and notes go to standard error,
and results are complete unless --limit is given.`
	cmd.SuggestFor, cmd.Annotations = strings.Fields(c.SuggestFor), c.Advice
	src := newSource(cmd).withConfinement()
	args := map[string]any{}
	for _, f := range c.Flags {
		f.add(cmd.Flags(), args)
	}
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		p := &printer{cmd: cmd, tool: c.Tool, args: args, end: "\n"}
		p.piped = !terminal.Is(cmd.OutOrStdout())
		if p.take("-0") == true {
			p.end = "\x00"
		}
		paths, err := p.parse(words)
		if err != nil {
			return seeHelp(cmd, err)
		}
		if p.piped {
			p.unlimit(src)
		}
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		if _, err := src.confine(ts); err != nil {
			return err
		}
		return p.run(ts, paths)
	}
	return cmd
}

// take removes an argument and returns it.
func (p *printer) take(name string) any {
	value := p.args[name]
	delete(p.args, name)
	return value
}

// parse replaces the arguments that the tool does not have, and adds the pattern of words. It
// returns the other words, which are paths.
func (p *printer) parse(words []string) (paths []string, err error) {
	patterns, _ := p.take("-e").([]string)
	extensions, _ := p.take("-x").([]string)
	types, _ := p.take("-t").([]string)
	globs, _ := p.take("glob").([]string)
	name, usage, _ := strings.Cut(p.cmd.Use, " ")
	switch {
	case len(words) == 0 && patterns == nil && usage[0] != '[':
		return nil, fmt.Errorf("%s takes %s, but got 0", name, usage)
	case len(words) > 1 && words[0] == "." && extensions != nil:
		words = words[1:] // "." is the pattern of fd that matches every name.
	case len(words) > 0 && patterns == nil && extensions == nil && strings.Contains(usage, "PATTERN"):
		patterns, words = words[:1], words[1:]
	}
	if extensions != nil {
		patterns = []string{anyExtension(extensions)}
	}
	isWord := p.take("-w") == true
	switch {
	case len(patterns) > 1 || isWord:
		p.args["pattern"] = alternatives(patterns, p.take("literal") == true, isWord)
	case len(patterns) == 1:
		p.args["pattern"] = patterns[0]
	}
	if types != nil {
		if globs, err = addTypes(types, globs); err != nil {
			return nil, err
		}
	}
	if globs != nil {
		p.args["glob"] = strings.Join(globs, "\n")
	}
	return words, nil
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
