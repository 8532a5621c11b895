package tool

import (
	"fmt"
	"strings"
)

// A Result is the result of a call.
type Result struct {
	// Parts are for the model. Most results have one part, of text.
	Parts []Part
	// Display is a short text for people. If empty, Parts are for them as well.
	Display string
	// Exact reports that the text fits the budget, so that a host must not shorten it.
	Exact bool
	// Truncated reports whether content was omitted.
	Truncated bool
	// NothingFound reports whether the call searched for something and found nothing.
	NothingFound bool
}

// A Part is a piece of a result.
type Part struct {
	// Type determines which fields are set.
	Type PartType
	// Text is the text of a [TextPart]. It must be UTF-8.
	Text string
	// Data is the content of all other parts.
	Data []byte
	// MIMEType is the type of Data, for example "image/png".
	MIMEType string
	// URI identifies the data of a [BlobPart], if set.
	URI string
}

// A PartType is the type of a [Part].
type PartType string

// The types of parts. A BlobPart has bytes of any type.
const (
	TextPart  PartType = "text"
	ImagePart PartType = "image"
	AudioPart PartType = "audio"
	BlobPart  PartType = "blob"
)

// Text returns the parts of a result that is one text.
func Text(text string) []Part { return []Part{{Type: TextPart, Text: text}} }

// Text returns the result as text: the texts of the parts, each on lines of its own, and a line that
// describes each other part.
func (r Result) Text() string {
	if len(r.Parts) == 1 {
		return r.Parts[0].text()
	}
	var b strings.Builder
	for _, p := range r.Parts {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(p.text())
	}
	return b.String()
}

func (p Part) text() string {
	if p.Type == TextPart {
		return p.Text
	}
	return fmt.Sprintf("[%s: %s, %d bytes]", p.Type, p.MIMEType, len(p.Data))
}
