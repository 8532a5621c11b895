package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// suggest returns the words that resemble word, as cobra suggests commands: those that begin with it, and those that differ
// by at most two letters, or one if word is short.
func suggest(word string, words []string) []string {
	if word == "" {
		return nil
	}
	parent := cobra.Command{SuggestionsMinimumDistance: min(2, len(word)/2)}
	for _, w := range words {
		parent.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	return parent.SuggestionsFor(word)
}

// didYouMean adds words to err as suggestions. It returns err if there are none.
func didYouMean(err error, words []string) error {
	if len(words) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s?", err, strings.Join(words, " or "))
}
