package ipynb

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"

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

// maxHTML is the maximum size of data in HTML that is shown as text.
const maxHTML = 1 << 20

// onlyName matches the text of an object that shows only its name, such as "<Figure size 640x480>".
var onlyName = regexp.MustCompile(`^\s*<[^>]*>\s*$`)

// data writes the forms in which an output exists, which are at an offset: its text, then the type
// and size of others.
func (w *writer) data(at int64) {
	values := offsets{}
	var kinds []string
	w.d.seek(at)
	w.d.object(func(key string) {
		kind, isOld := oldKeys[key]
		if !isOld {
			kind = key
		}
		if kind != "" && len(kinds) < maxKinds {
			values[kind] = w.d.at
			kinds = append(kinds, kind)
		}
		w.d.skip()
	})
	shown := w.dataText(values)
	for _, kind := range kinds {
		if kind == shown || kind == "text/plain" || !w.d.seekValue(values, kind) {
			continue
		}
		size := w.size(kind)
		if w.d.err == nil {
			what := fmt.Sprintf("%s, %d bytes", kind, size)
			w.out.Line(documents.Placeholder(what, ""))
			w.d.fail(w.out.Err())
		}
	}
	if len(kinds) == maxKinds {
		w.out.Line([]byte("(further forms of this output are left out)"))
	}
}

// maxKinds is the maximum number of forms of an output.
const maxKinds = 100

// dataText writes the text of an output, and returns its type. A text that only names an object is
// followed by the object.
func (w *writer) dataText(values offsets) (shown string) {
	for _, kind := range texts {
		if !w.d.seekValue(values, kind) {
			continue
		}
		if kind == "text/html" {
			if w.html() {
				return kind
			}
			continue
		}
		isName := kind == "text/plain" && onlyName.Match(w.beginning(values, kind))
		w.linesAt(values, kind, w.plain, "")
		if !isName {
			return kind
		}
	}
	return ""
}

// beginning returns the beginning of a text.
func (w *writer) beginning(values offsets, kind string) []byte {
	var b []byte
	const most = 1000
	w.d.seekValue(values, kind)
	w.lines(func(text []byte) { b = append(b, text[:min(len(text), most-len(b))]...) }, "")
	return b
}

// html writes the text of data in HTML, and reports whether there is some. Longer data is not
// shown.
func (w *writer) html() bool {
	var b bytes.Buffer
	w.lines(func(text []byte) {
		if b.Len() <= maxHTML {
			b.Write(text)
		}
	}, "")
	if b.Len() > maxHTML || w.d.err != nil {
		return false
	}
	found := false
	page := &html.Writer{Out: w.out}
	err := markup.ScanHTML(&b, func(s *markup.Scanner) error {
		found = found || s.Piece == markup.Text && len(bytes.TrimSpace(s.Text)) > 0
		return page.Piece(s)
	})
	for w.out.Tables() > 0 { // whose ends are missing
		w.out.EndTable()
	}
	w.out.End()
	if failure, ok := errors.AsType[*documents.Error](err); ok {
		w.out.Line([]byte("(the rest of this output " + failure.Error() + ")"))
	} else {
		w.d.fail(err)
	}
	return found
}
