package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/jsonobject"
	"gander/tool"
)

// A toolCommand is a command that calls a tool.
type toolCommand struct {
	source *source
	spec   tool.Spec
	args   map[string]any // of the call
}

// newToolCmds returns a command for each of the default tools that has one.
func newToolCmds() []*cobra.Command {
	var cmds []*cobra.Command
	builtin := gander.BuiltinTools()
	for _, s := range builtin {
		if s.Command.Name == "" || !slices.Contains(gander.DefaultTools(), s.ID) {
			continue
		}
		c := &toolCommand{spec: s, args: make(map[string]any)}
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
	use := ""
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
	var examples []string
	for _, words := range about.Examples {
		examples = append(examples, strings.TrimSpace("gander "+about.Name+" "+words))
	}
	cmd := &cobra.Command{
		Use:        about.Name + use,
		Short:      about.Short,
		Long:       strings.TrimSuffix(wrap(c.spec.Description, "")+c.wordsHelp(schema), "\n"),
		Example:    "  " + strings.Join(examples, "\n  "),
		SuggestFor: about.SuggestFor,
		Args:       arguments(least, len(about.Words), strings.TrimSpace(use)),
		RunE:       c.run,
	}
	c.source = newSource(cmd)
	addArgumentFlags(cmd, c, schema)
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

func (c *toolCommand) run(cmd *cobra.Command, words []string) error {
	for i, word := range words {
		c.args[c.spec.Command.Words[i]] = word
	}
	ts, err := c.source.open()
	if err != nil {
		return err
	}
	defer ts.Close()
	args, err := json.Marshal(c.args)
	if err != nil {
		return err
	}
	result, err := ts.Call(cmd.Context(), c.spec.ID, tool.Call{Args: args})
	if err != nil {
		if exitCode(err) == exitOutside {
			return fmt.Errorf("%w, or name its directory with --root", err)
		}
		return err
	}
	text := result.Text()
	if text != "" {
		text = strings.TrimSuffix(text, "\n") + "\n"
	}
	if err := write(cmd, text); err != nil {
		return err
	}
	if result.NothingFound {
		return errNothingFound
	}
	return nil
}
