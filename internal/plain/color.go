package plain

import (
	"iter"

	"gander/internal/search/match"
)

// A Color is the code of a color on a terminal.
type Color string

// The colors of the parts of a result.
const (
	PathColor   Color = "35"   // magenta
	NumberColor Color = "32"   // green
	MatchColor  Color = "1;31" // bold red
)

// Apply returns text in the color, unless it is empty.
func (c Color) Apply(text string) string {
	if text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// AppendMatches appends a text with its matches in color. An error ends the color.
func AppendMatches(dst, text []byte, spans iter.Seq2[match.Span, error]) []byte {
	var at int64
	for s, err := range spans {
		if err != nil {
			break
		}
		dst = append(dst, text[at:s.Start]...)
		dst = append(dst, MatchColor.Apply(string(text[s.Start:s.End]))...)
		at = s.End
	}
	return append(dst, text[at:]...)
}
