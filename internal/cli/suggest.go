package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// suggest returns the words that begin with word or differ from it by at most two letters, or one
// letter if word is short.
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

// didYouMean adds words, if any, to err as suggestions.
func didYouMean(err error, words []string) error {
	if len(words) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s?", err, strings.Join(words, " or "))
}
