package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/jsonobject"
	"gander/internal/terminal"
	"gander/tool"
)

// A toolCommand is a command that calls a tool.
type toolCommand struct {
	*source
	spec   tool.Spec
	family []tool.Spec    // tools of other dialects with the same command
	args   map[string]any // of the call, by the names that spec has for them
	as     string
	color  colorFlag
}

// newToolCmds returns a command for each of the default tools that has one.
func newToolCmds() []*cobra.Command {
	var cmds []*cobra.Command
	builtin := gander.BuiltinTools()
	for _, s := range builtin {
		if s.Command.Name == "" || !slices.Contains(gander.DefaultTools(), s.ID) {
			continue
		}
		c := &toolCommand{spec: s, args: make(map[string]any), color: "auto"}
		for _, other := range builtin {
			if other.Command.Name == s.Command.Name && other.ID != s.ID {
				c.family = append(c.family, other)
			}
		}
		cmds = append(cmds, c.command())
	}
	return cmds
}

func (c *toolCommand) command() *cobra.Command {
	about := c.spec.Command
	schema, err := jsonobject.Parse(c.spec.Input)
	if err != nil {
		return nil // The registry refuses such a tool.
	}
	required := schema.Texts("required")
	use, usage := "", ""
	least := 0
	for _, word := range about.Words {
		name := strings.ToUpper(word)
		if slices.Contains(required, word) {
			least++
		} else {
			name = "[" + name + "]"
		}
		use += " " + name
	}
	if len(c.family) > 0 {
		usage = "\n" + wrap("--as shows what a model reads that has the tools of another family: "+strings.Join(c.dialects(), ", ")+".", "")
	}
	var examples []string
	for _, words := range about.Examples {
		examples = append(examples, strings.TrimSpace("gander "+about.Name+" "+words))
	}
	cmd := &cobra.Command{
		Use:        about.Name + use,
		Short:      about.Short,
		Long:       strings.TrimSuffix(wrap(c.spec.Description, "")+c.wordsHelp(schema)+usage, "\n"),
		Example:    "  " + strings.Join(examples, "\n  "),
		SuggestFor: about.SuggestFor,
		Args:       arguments(least, len(about.Words), strings.TrimSpace(use)),
		RunE:       c.run,
	}
	c.source = newSource(cmd).withRoots()
	addArgumentFlags(cmd, c, schema)
	cmd.Flags().Var(&c.color, "color", "use colours `WHEN`: auto (on a terminal), always, never")
	completeFlag(cmd, "color", completeWords(colorWords()))
	if len(c.family) > 0 {
		cmd.Flags().StringVar(&c.as, "as", "", "show what a model reads with the tools of `FAMILY`")
		completeFlag(cmd, "as", completeWords(c.dialects()))
	}
	return cmd
}

// wordsHelp describes the arguments that are given by position.
func (c *toolCommand) wordsHelp(schema *jsonobject.Object) string {
	var b strings.Builder
	for _, word := range c.spec.Command.Words {
		description := schema.Object("properties").Object(word).Texts("description")
		b.WriteString("\n" + wrap(strings.ToUpper(word)+": "+strings.Join(description, ""), ""))
	}
	return b.String()
}

// dialects returns the words that --as takes.
func (c *toolCommand) dialects() []string {
	var words []string
	for _, s := range c.family {
		words = append(words, s.Dialect())
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func (c *toolCommand) run(cmd *cobra.Command, words []string) error {
	for i, word := range words {
		c.args[c.spec.Command.Words[i]] = word
	}
	spec, err := c.chosen()
	if err != nil {
		return seeHelp(cmd, err)
	}
	if path, ok := c.args[c.spec.PathArgument].(string); ok {
		c.args[c.spec.PathArgument] = c.follow(path)
	}
	ts, _, err := c.open()
	if err != nil {
		return err
	}
	defer ts.Close()
	args, err := c.arguments(spec, ts.Roots()[0])
	if err != nil {
		return seeHelp(cmd, err)
	}
	call := tool.Call{Args: args}
	result, err := ts.Call(cmd.Context(), spec.ID, call)
	path, _ := c.args[c.spec.PathArgument].(string)
	path = absoluteIn(ts.Roots()[0], path)
	if err != nil {
		if code := exitCode(err); code == exitOutside || code == exitNotDirectory {
			if leads := leadsOut(ts.Roots(), path); leads != "" {
				return fmt.Errorf("%w; %s", err, leads)
			}
		}
		return err
	}
	if err := c.print(cmd, ts, spec.ID, call, result.Text()); err != nil {
		return err
	}
	// If a link leads out, some tools show the link itself.
	if _, notLink := os.Readlink(path); notLink == nil {
		if leads := leadsOut(ts.Roots(), path); leads != "" {
			printError(cmd, errors.New(leads))
		}
	}
	if result.NothingFound {
		return errNothingFound
	}
	return nil
}

// chosen returns the tool that answers.
func (c *toolCommand) chosen() (tool.Spec, error) {
	if c.as == "" || c.as == c.spec.Dialect() {
		return c.spec, nil
	}
	for _, s := range c.family {
		if c.as == s.Dialect() || c.as == s.ID {
			return s, nil
		}
	}
	words := append([]string{c.spec.Dialect()}, c.dialects()...)
	err := fmt.Errorf("--as is %q; for %s the families are: %s", c.as, c.spec.Command.Name, strings.Join(words, ", "))
	return tool.Spec{}, didYouMean(err, suggest(c.as, words))
}

// arguments returns the arguments of a call of a tool, which has its own names for them.
func (c *toolCommand) arguments(s tool.Spec, root string) (json.RawMessage, error) {
	if s.ID == c.spec.ID {
		return json.Marshal(c.args)
	}
	schema, err := jsonobject.Parse(s.Input)
	if err != nil {
		return nil, err
	}
	properties := schema.Object("properties")
	args := make(map[string]any)
	for name, value := range c.args {
		own := name
		if other, ok := s.Command.Arguments[name]; ok {
			own = other
		}
		if _, ok := properties.Get(own); !ok {
			return nil, fmt.Errorf("%s has no argument for %s; leave it out, or use 'gander call %s'", s.ID, name, s.ID)
		}
		args[own] = value
	}
	path, given := args[s.PathArgument].(string)
	if !given {
		path = "."
	}
	if s.Command.AbsolutePath {
		path = absoluteIn(root, path)
	}
	if given || slices.Contains(schema.Texts("required"), s.PathArgument) {
		args[s.PathArgument] = path
	}
	return json.Marshal(args)
}

// absoluteIn returns path if it is absolute, and otherwise what it names in root.
func absoluteIn(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

// print prints an answer as a model reads it, on lines of its own.
func (c *toolCommand) print(cmd *cobra.Command, ts *gander.Toolset, id string, call tool.Call, text string) error {
	if text != "" {
		text = strings.TrimSuffix(text, "\n") + "\n"
	}
	if !c.color.on(cmd.OutOrStdout()) {
		return write(cmd, text)
	}
	var styles []terminal.Style
	for _, span := range ts.Highlight(id, call, text) {
		styles = append(styles, terminal.Style{Start: span.Start, End: span.End, Code: map[tool.SpanType]string{
			tool.PathSpan: "35", tool.NumberSpan: "32", tool.MatchSpan: "1;31",
		}[span.Type]})
	}
	if err := terminal.WriteStyled(cmd.OutOrStdout(), text, styles); err != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", err)}
	}
	return nil
}
