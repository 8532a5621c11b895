package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// several is the value of a flag that may be given more than once. pflag's own writes its empty default as CSV, for which
// it takes 4 KiB of memory a flag, whichever command runs.
type several struct{ words *[]string }

var (
	_ pflag.Value      = several{}
	_ pflag.SliceValue = several{}
)

func (s several) Set(word string) error { return s.Append(word) }
func (s several) Type() string          { return "stringArray" }
func (s several) String() string        { return strings.Join(s.GetSlice(), ", ") }
func (s several) GetSlice() []string    { return *s.words }

func (s several) Append(word string) error {
	*s.words = append(*s.words, word)
	return nil
}

func (s several) Replace(words []string) error {
	*s.words = words
	return nil
}

// given returns the words of a flag that several is the value of, nil where there is no such flag.
func given(flags *pflag.FlagSet, name string) []string {
	if f := flags.Lookup(name); f != nil {
		if s, ok := f.Value.(several); ok {
			return s.GetSlice()
		}
	}
	return nil
}
