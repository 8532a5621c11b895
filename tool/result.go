package tool

import (
	"fmt"
	"strings"
)

// A Result is a tool's answer.
type Result struct {
	// Parts are what the model is given, in order. Most answers have one part, of text.
	Parts []Part
	// Display is a short text for a person; empty where the parts serve both.
	Display string
	// Exact says that a host must not shorten the text (FR-LD-OUT-04): the tool has fitted it to the budget itself.
	Exact bool
	// Truncated says that there was more to tell than the parts hold.
	Truncated bool
	// NothingFound says that the call searched for something and found nothing.
	NothingFound bool
}

// A Part is a piece of an answer.
type Part struct {
	// Type says what the part holds.
	Type PartType
	// Text is the text of a [TextPart], byte for byte as the model reads it. It must be UTF-8.
	Text string
	// Data holds the bytes of every other part.
	Data []byte
	// MIMEType says what Data is, for example "image/png".
	MIMEType string
	// URI names the data of a [BlobPart]. It may be empty.
	URI string
}

// A PartType is the type of a [Part].
type PartType string

// The types of parts.
const (
	TextPart  PartType = "text"
	ImagePart PartType = "image"
	AudioPart PartType = "audio"
	// BlobPart is for bytes of any other type.
	BlobPart PartType = "blob"
)

// Text returns the parts of an answer that is one text.
func Text(text string) []Part { return []Part{{Type: TextPart, Text: text}} }

// Text returns the answer for a reader who takes only text: the texts of the parts, each on lines of its own, and for
// every other part a line that says what it is.
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

// size returns how many bytes of text and of data the answer has.
func (r Result) size() (text, data int) {
	for _, p := range r.Parts {
		text += len(p.Text)
		data += len(p.Data)
	}
	return text, data
}
