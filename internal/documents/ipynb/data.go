package ipynb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/html"
	"gander/internal/documents/markup"
)

// oldKeys are the types of data whose keys have no type in version 3, and the keys of outputs that
// are no data.
var oldKeys = map[string]string{
	"text": "text/plain", "html": "text/html", "latex": "text/latex", "svg": "image/svg+xml",
	"png": "image/png", "jpeg": "image/jpeg", "pdf": "application/pdf", "json": "application/json",
	"javascript":  "application/javascript",
	"output_type": "", "metadata": "", "execution_count": "", "prompt_number": "", "data": "",
	"transient": "", "prompt": "",
}

// texts are the types of data that are text, from the one that says most.
var texts = []string{"text/plain", "text/html", "text/markdown", "text/latex"}

// onlyName matches the text of an object that shows only its name, such as "<Figure size 640x480>".
var onlyName = regexp.MustCompile(`^\s*<[^>]*>\s*$`)

// forms are the forms of data by their types.
type forms map[string]form

// UnmarshalJSON implements [json.Unmarshaler]. Anything but an object is nothing.
func (f *forms) UnmarshalJSON(b []byte) error {
	values := map[string]form{}
	_ = json.Unmarshal(b, &values)
	*f = forms{}
	for key, value := range values {
		kind, isOld := oldKeys[key]
		if !isOld {
			kind = key
		}
		if kind != "" {
			(*f)[kind] = value
		}
	}
	return nil
}

// A form is a form of data: its text, and the size of that without line feeds. Of data that is no
// text, it has only the size.
type form struct {
	text text
	size int
}

// UnmarshalJSON implements [json.Unmarshaler].
func (f *form) UnmarshalJSON(b []byte) error {
	if b[0] != '"' && b[0] != '[' {
		f.size = len(b)
		return nil
	}
	err := f.text.UnmarshalJSON(b)
	f.size = len(f.text) - strings.Count(string(f.text), "\n")
	return err
}

// binary matches the types of data in base64.
var binary = regexp.MustCompile(`^(image/[^+]*|(audio|video)/.*|application/pdf)$`)

// maxKinds is the maximum number of forms of an output that are named.
const maxKinds = 100

// data writes the forms in which an output exists: its text, then the type and size of others.
func (w *writer) data(all forms) {
	shown := w.dataText(all)
	for n, kind := range slices.Sorted(maps.Keys(all)) {
		if kind == shown || kind == "text/plain" {
			continue
		}
		if n == maxKinds {
			w.out.Line([]byte("(further forms of this output are left out)"))
			break
		}
		size := all[kind].size
		if binary.MatchString(kind) { // without its encoding
			size = size*3/4 - min(strings.Count(string(all[kind].text), "="), 2)
		}
		w.out.Line(documents.Placeholder(fmt.Sprintf("%s, %d bytes", kind, size), ""))
	}
}

// dataText writes the text of an output, and returns its type. A text that only names an object is
// followed by the object.
func (w *writer) dataText(all forms) (shown string) {
	for _, kind := range texts {
		f, ok := all[kind]
		if !ok {
			continue
		}
		if kind == "text/html" {
			if w.html(string(f.text)) {
				return kind
			}
			continue
		}
		w.plain(string(f.text))
		if kind != "text/plain" || !onlyName.MatchString(string(f.text)) {
			return kind
		}
	}
	return ""
}

// html writes the text of data in HTML, and reports whether there is some.
func (w *writer) html(content string) (found bool) {
	page := &html.Writer{Out: w.out}
	err := markup.Scan("HTML", strings.NewReader(content), true, w.out, func(s *markup.Scanner) {
		found = found || s.Piece == markup.Text && len(bytes.TrimSpace(s.Text)) > 0
		page.Piece(s)
	})
	for w.out.Tables() > 0 { // whose ends are missing
		w.out.EndTable()
	}
	w.out.End()
	if err != nil {
		w.out.Line([]byte("(the rest of this output " + err.Error() + ")"))
	}
	return found
}
