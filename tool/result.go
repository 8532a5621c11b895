package tool

import (
	"fmt"
	"strings"
)

// A Result is the result of a call.
type Result struct {
	Parts        []Part // content for the model, usually one text part
	Display      string // short summary for the user; if empty, Parts are used
	Exact        bool   // the text fits the budget; hosts must not shorten it
	Truncated    bool   // content was omitted, as the text says
	NothingFound bool   // a search had no matches
	Unreadable   bool   // something could not be read, as the text says
}

// A Part is a piece of a result, either text or data.
type Part struct {
	Text     string // UTF-8 text
	MIMEType string // type of Data, such as "image/png"; empty for text
	Data     []byte // content of a data part
	URI      string // identifier of Data, if any
}

// Text returns a single text part as the Parts of a [Result].
func Text(text string) []Part { return []Part{{Text: text}} }

// Text returns the text parts, and a one-line description of each data part.
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
