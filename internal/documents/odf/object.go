package odf

import (
	"cmp"
	"io"
	"path"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
)

// writeObject writes the text of the object in a frame, such as a chart or a formula, and reports
// whether it has one. An object in an object has none. Those of a sheet follow its rows.
func (w *writer) writeObject(f frame) (bool, error) {
	name := path.Join(f.object, content)
	isObject := f.what == "object" && f.object != "" && !w.isObject
	if !isObject || !w.overview.archive.Has(name) {
		return false, nil
	}
	text, err := w.readFormula(name)
	switch {
	case err != nil:
		return false, err
	case text != nil:
		w.insert(text)
		return true, nil
	case w.format == Spreadsheet && len(w.objects) < maxObjects:
		w.objects = append(w.objects, f)
		return true, nil
	case w.format == Spreadsheet:
		return false, nil
	}
	w.styled.End()
	w.out.Break()
	err = w.readObject(f)
	w.out.Break()
	return true, err
}

// readFormula returns the formula in an entry, or nil if it is another object.
func (w *writer) readFormula(name string) (text []byte, err error) {
	var reader formula.Reader
	err = w.overview.archive.Scan(name, func(s *markup.Scanner) error {
		if !reader.Read(s, func(b []byte) { text = b }) {
			return io.EOF
		}
		return nil
	})
	return text, err
}

// maxObjects is the maximum number of objects of a sheet whose texts are written.
const maxObjects = 1000

// readObject writes the text of an object after what describes it.
func (w *writer) readObject(f frame) error {
	if description := cmp.Or(f.description, f.title); description != "" {
		w.out.Text(documents.Placeholder("object", description))
		w.out.Break()
	}
	object := newWriter("text", w.out, newOverview("text", w.overview.archive))
	object.isObject = true
	return w.overview.archive.Scan(path.Join(f.object, content), object.piece)
}

// writeObjects writes the objects of a sheet.
func (w *writer) writeObjects() error {
	for _, f := range w.objects {
		w.out.End()
		err := w.readObject(f)
		if err != nil {
			return err
		}
	}
	w.objects = nil
	return nil
}
