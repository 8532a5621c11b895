package tool

import (
	"fmt"
	"strings"
)

// A Result is the result of a call.
type Result struct {
	Parts        []Part // for the model; usually one, of text
	Display      string // a short text for people; if empty, Parts are for them as well
	Exact        bool   // the text fits the budget, and a host must not shorten it
	Truncated    bool   // content was omitted
	NothingFound bool   // the call searched for something and found nothing
}

// A Part is a piece of a result.
type Part struct {
	Type     PartType // determines which fields are set
	Text     string   // of a TextPart; UTF-8
	Data     []byte   // of all other parts
	MIMEType string   // of Data, for example "image/png"
	URI      string   // identifies the data of a BlobPart, if set
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
