package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns a help text takes.
const helpWidth = 80

// newHelpCmd stands in for cobra's own, which does not fail where there is no such command.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the usage of a command",
		Example: `  gander help why
  gander help config show`,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, err := find(cmd.Root(), args)
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}

// help prints what a command is for, on one screen where that can be: examples first.
func help(cmd *cobra.Command, _ []string) {
	_, err := io.WriteString(cmd.OutOrStdout(), helpText(cmd))
	if err != nil {
		cmd.PrintErrln("gander: " + fitLine(err.Error()))
	}
}

func helpText(cmd *cobra.Command) string {
	var b strings.Builder
	if cmd.Example != "" {
		b.WriteString("Examples:\n" + cmd.Example + "\n\n")
	}
	b.WriteString("Usage: " + synopsis(cmd) + "\n\n" + wrap(about(cmd), helpWidth))
	if commands := available(cmd); len(commands) > 0 {
		b.WriteString("\nCommands:\n")
		for _, sub := range commands {
			b.WriteString("  " + pad(sub.Name(), 12) + sub.Short + "\n")
		}
	}
	if flags := listed(cmd.LocalFlags()); flags.HasFlags() {
		b.WriteString("\nFlags:\n" + trimLines(flags.FlagUsagesWrapped(helpWidth)))
	}
	return b.String()
}

// trimLines drops the blanks at the ends of lines.
func trimLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

func pad(word string, width int) string {
	return word + strings.Repeat(" ", max(width-len(word), 1))
}

// about is the long description, or the short one where there is no other.
func about(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// synopsis is the line that says how a command is called.
func synopsis(cmd *cobra.Command) string {
	if len(available(cmd)) > 0 {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

// available are the commands below cmd that people may be told of, in the order of their names.
func available(cmd *cobra.Command) []*cobra.Command {
	commands := slices.Clone(cmd.Commands())
	return slices.DeleteFunc(commands, func(c *cobra.Command) bool { return c.Hidden || !c.HasParent() })
}

// listed are the flags that say something about a command: all but --help.
func listed(flags *pflag.FlagSet) *pflag.FlagSet {
	kept := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			kept.AddFlag(f)
		}
	})
	return kept
}

// wrap fills the paragraphs of a text to so many columns. Lines that begin with a blank stay as they are.
func wrap(text string, width int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString("\n")
		}
		column := 0
		for line := range strings.Lines(paragraph) {
			if strings.HasPrefix(line, " ") {
				if column > 0 {
					b.WriteString("\n")
				}
				b.WriteString(strings.TrimRight(line, "\n"))
				column = width
				continue
			}
			for word := range strings.FieldsSeq(line) {
				switch {
				case column == 0:
				case column+1+len(word) > width:
					b.WriteString("\n")
					column = 0
				default:
					b.WriteString(" ")
					column++
				}
				b.WriteString(word)
				column += len(word)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// find returns the command that the words name.
func find(root *cobra.Command, words []string) (*cobra.Command, error) {
	cmd, rest, err := root.Find(words)
	if err == nil && len(rest) > 0 {
		err = noCommand(cmd, rest)
	}
	return cmd, err
}

// noCommand is the error of a command that needs another after it.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return hint(cmd, errors.New("no command given"))
	}
	err := unknownCommand{fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())}
	var names []string
	for _, sub := range available(cmd) {
		names = append(names, sub.Name())
	}
	if close := near(args[0], names); len(close) > 0 {
		return suggested(err, close)
	}
	return hint(cmd, err)
}
