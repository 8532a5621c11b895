package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/internal/layout"
	"gander/internal/terminal"
	"gander/tool"
)

// nullArgument is the argument of a command that ends paths with a NUL byte. No tool has it.
const nullArgument = "-0"

// newToolCmds returns the commands that call a tool.
func newToolCmds() []*cobra.Command {
	var cmds []*cobra.Command
	specs := gander.BuiltinTools()
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
		SuggestFor: c.suggestFor,
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
	if p.piped {
		p.unlimit(&o, args, c.name)
	}
	ts, err := src.openWith(o)
	if err != nil {
		return err
	}
	defer ts.Close()
	for i := 0; i == 0 || i < len(paths); i += maxPaths {
		if len(paths) > 0 {
			args["path"] = strings.Join(escapeLineFeeds(paths[i:min(i+maxPaths, len(paths))]), "\n")
		}
		raw, err := json.Marshal(args)
		if err != nil {
			return err
		}
		if err := p.call(ts, c.id, raw); err != nil {
			return err
		}
	}
	switch {
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

// A printer prints the results of a command's calls.
type printer struct {
	cmd           *cobra.Command
	piped, null   bool
	found, failed bool
}

// unlimit removes the limits on results for another program.
func (p *printer) unlimit(o *gander.Options, args map[string]any, name string) {
	const all = 1 << 30
	o.Limits.MaxOutputBytes, o.Gander.MaxChars = -1, -1
	if args["limit"] == nil && name != "read" {
		args["limit"] = all
	}
	if name == "search" && args["context"] == nil {
		args["context"] = 0
	}
}

// call calls a tool and prints the result.
func (p *printer) call(ts *gander.Toolset, id string, args json.RawMessage) error {
	l := &layout.Layout{Whole: p.piped, Hint: hint}
	result, err := ts.Call(layout.With(p.cmd.Context(), l), id, tool.Call{Args: args})
	if err != nil {
		if exitCode(err) == exitOutside {
			return fmt.Errorf("%w, or name its directory with --root", err)
		}
		return err
	}
	p.found = p.found || !result.NothingFound
	if !p.piped {
		return write(p.cmd, strings.TrimSuffix(result.Text(), "\n")+"\n")
	}
	for _, s := range l.Sections {
		p.failed = p.failed || s.Error != ""
		p.note(s.Heading)
		if err := p.body(s.Body); err != nil {
			return err
		}
		p.note(s.Markers)
		if s.Error != "" {
			printError(p.cmd, errors.New(s.Error))
		}
	}
	for _, part := range result.Parts {
		if part.Type != tool.TextPart {
			if err := p.body(tool.Result{Parts: []tool.Part{part}}.Text()); err != nil {
				return err
			}
		}
	}
	return nil
}

// body prints the entries of a result.
func (p *printer) body(text string) error {
	if text == "" {
		return nil
	}
	if p.null {
		return write(p.cmd, strings.ReplaceAll(text, "\n", "\x00")+"\x00")
	}
	return write(p.cmd, text+"\n")
}

// note prints lines about a result.
func (p *printer) note(lines string) {
	for line := range strings.Lines(lines) {
		p.cmd.PrintErrln(terminal.Line(strings.TrimSuffix(line, "\n")))
	}
}

// hint spells the call that a result suggests as a command line. An empty id means more flags of
// this command.
func hint(id string, arguments []layout.Argument) string {
	var words []string
	for _, c := range toolCommands() {
		if id != "" && c.id == "gander/"+id {
			words = []string{"gander", c.name}
		}
	}
	for _, a := range arguments {
		switch {
		case a.Name == "path" || a.Name == "pattern":
			words = append(words, terminal.Quote(a.Value))
		case a.Value == "true":
			words = append(words, "--"+strings.ReplaceAll(a.Name, "_", "-"))
		default:
			words = append(words, "--"+strings.ReplaceAll(a.Name, "_", "-"), terminal.Quote(a.Value))
		}
	}
	return strings.Join(words, " ")
}

// flagError adds the right flag to the error about an unknown one.
func (c toolCommand) flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return flagError(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	for _, word := range []string{name, unknown.GetSpecifiedShortnames()} {
		if advice := c.advice[word]; advice != "" {
			return seeHelp(cmd, fmt.Errorf("%w; use %s", err, advice))
		}
	}
	var names []string
	for _, f := range c.flags {
		if f.name != "" && f.usage != "" {
			names = append(names, f.name)
		}
	}
	near := suggest(name, names)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return seeHelp(cmd, didYouMean(err, near))
}

// add adds the flag to cmd. It sets an argument in args.
func (f commandFlag) add(cmd *cobra.Command, args map[string]any) {
	name := f.name
	if name == "" {
		name = "short-" + f.letter
	}
	flag := cmd.Flags().VarPF(&argumentFlag{f, args}, name, f.letter, f.usage)
	flag.Hidden = f.usage == ""
	if _, ok := f.value.(flagKind); !ok {
		flag.NoOptDefVal = "true"
	}
	switch f.argument {
	case "sort":
		completeFlag(cmd, name, completeWords([]string{"path", "modified"}))
	case typesArgument:
		completeFlag(cmd, name, completeWords(slices.Sorted(maps.Keys(fileTypes()))))
	}
}

// An argumentFlag is the value of a flag that sets an argument.
type argumentFlag struct {
	flag commandFlag
	args map[string]any
}

func (f *argumentFlag) String() string { return "" } // The default value.

// Type returns the kind of value in the help.
func (f *argumentFlag) Type() string {
	if kind, ok := f.flag.value.(flagKind); ok {
		return string(kind)
	}
	return "bool"
}

func (f *argumentFlag) Set(value string) error {
	name := f.flag.argument
	switch f.flag.value {
	case integerFlag:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return errors.New("must be an integer")
		}
		f.args[name] = n
	case textFlag:
		f.args[name] = value
	case listFlag:
		if before, ok := f.args[name].(string); ok {
			value = before + "\n" + value
		}
		f.args[name] = value
	default:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		if on && f.flag.value != nil {
			f.args[name] = f.flag.value
		}
	}
	return nil
}
