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

// A Part is a piece of a result, either text or data.
type Part struct {
	Text     string // UTF-8
	MIMEType string // of Data, such as "image/png"; empty for text
	Data     []byte // not for text
	URI      string // identifies Data, if set
}

// Text returns the parts of a result that is one text.
func Text(text string) []Part { return []Part{{Text: text}} }

// Text returns the texts of the parts, and a line about each other part.
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
	if p.MIMEType == "" {
		return p.Text
	}
	kind, _, _ := strings.Cut(p.MIMEType, "/")
	if kind != "image" && kind != "audio" {
		kind = "blob"
	}
	return fmt.Sprintf("[%s: %s, %d bytes]", kind, p.MIMEType, len(p.Data))
}
