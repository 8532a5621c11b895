package odf

import (
	"cmp"
	"path"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
)

// writeObject writes the text of the object in a frame, such as a chart or a formula, and reports
// whether it has one. An object in an object has none. Those of a sheet follow its rows.
func (w *writer) writeObject(f frame) bool {
	name := path.Join(f.object, content)
	isObject := f.what == "object" && f.object != "" && !w.isObject
	if !isObject || !w.overview.archive.Has(name) {
		return false
	}
	text := w.readFormula(name)
	switch {
	case text != nil:
		w.insert(text)
	case w.format == Spreadsheet && len(w.objects) < maxObjects:
		w.objects = append(w.objects, f)
	case w.format == Spreadsheet:
		return false
	default:
		w.styled.End()
		w.out.Break()
		w.readObject(f)
		w.out.Break()
	}
	return true
}

// readFormula returns the formula in an entry, or nil if it is another object.
func (w *writer) readFormula(name string) (text []byte) {
	var reader formula.Reader
	w.overview.archive.Scan(name, func(s *markup.Scanner) {
		if !reader.Read(s, func(b []byte) { text = b }) {
			s.Stop()
		}
	})
	return text
}

// maxObjects is the maximum number of objects of a sheet whose texts are written.
const maxObjects = 1000

// readObject writes the text of an object after what describes it.
func (w *writer) readObject(f frame) {
	if description := cmp.Or(f.description, f.title); description != "" {
		w.out.Text(documents.Placeholder("object", description))
		w.out.Break()
	}
	object := newWriter("text", w.out, newOverview("text", w.overview.archive))
	object.isObject = true
	w.overview.archive.Scan(path.Join(f.object, content), object.piece)
}

// writeObjects writes the objects of a sheet.
func (w *writer) writeObjects() {
	for _, f := range w.objects {
		w.out.End()
		w.readObject(f)
	}
	w.objects = nil
}
