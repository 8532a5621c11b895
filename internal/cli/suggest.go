package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// findUnknown returns an error if arguments name an unknown subcommand, whatever its flags are.
func findUnknown(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	hasWord := len(rest) > 0 && !strings.HasPrefix(rest[0], "-")
	switch {
	case cmd.HasSubCommands() && hasWord:
		return unknownCommand(cmd, rest[0])
	case err != nil: // the command follows a flag
		return seeHelp(cmd, err)
	default:
		return nil
	}
}

// checkCommand returns an error about an empty command, which the parser would skip.
func checkCommand(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err == nil && cmd == root && slices.Contains(rest, "") {
		return unknownCommand(root, "")
	}
	return nil
}

func unknownCommand(cmd *cobra.Command, name string) error {
	err := fmt.Errorf("unknown command %q for %q", name, cmd.CommandPath())
	if name == "uninstall" || name == "remove" {
		return didYouMean(err, "", []string{"gander install CLIENT --remove"})
	}
	var names []string
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, name) {
			return didYouMean(err, "", []string{c.CommandPath()})
		}
		names = append(names, c.Name())
	}
	if near := suggest(name, names); len(near) > 0 {
		return didYouMean(err, cmd.CommandPath()+" ", near)
	}
	return seeHelp(cmd, err)
}

// suggest returns the words that begin with word or resemble it: they differ in at most two
// letters, in one if word has less than six, and in none if it has less than three.
func suggest(word string, words []string) []string {
	if word == "" {
		return nil
	}
	parent := cobra.Command{SuggestionsMinimumDistance: min(2, len(word)/3)}
	for _, w := range words {
		parent.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	return parent.SuggestionsFor(word)
}

func didYouMean(err error, prefix string, words []string) error {
	if len(words) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s%s?", err, prefix, strings.Join(words, " or "+prefix))
}

func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())
}
