package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// suggestionDistance is how many letters may differ between a word and what is suggested for it.
const suggestionDistance = 2

// suggest returns those of words that cobra would suggest for word if they were commands.
func suggest(word string, words []string) []string {
	if word == "" {
		return nil
	}
	parent := cobra.Command{SuggestionsMinimumDistance: suggestionDistance}
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
