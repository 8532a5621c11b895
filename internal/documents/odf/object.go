package odf

import (
	"cmp"
	"io"
	"path"
	"strconv"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/formula"
	"gander/internal/documents/markup"
)

// startLink begins a link. A target in the document is left out.
func (w *writer) startLink(target string) {
	if strings.HasPrefix(target, "#") {
		target = ""
	}
	w.style()
	w.styled.StartLink(target)
}

// writeObject writes the text of the object in a frame, such as a chart or a formula, and reports
// whether it has one. An object in an object has none. Those of a sheet follow its rows.
func (w *writer) writeObject(f frame) (bool, error) {
	name := path.Join(f.object, content)
	isObject := f.what == "object" && f.object != "" && w.archive != nil
	hasText := isObject && w.archive.Has(name)
	if !hasText {
		return false, nil
	}
	text, err := w.readFormula(name)
	switch {
	case err != nil:
		return false, err
	case text != nil && w.sheet.inCell:
		w.sheet.addApart(text)
		return true, nil
	case text != nil:
		w.styled.Insert(text)
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
func (w *writer) readFormula(name string) ([]byte, error) {
	var reader *formula.Reader
	err := w.archive.Scan(name, func(s *markup.Scanner) error {
		if reader == nil && !formula.Starts(s.Name) {
			return io.EOF
		}
		if reader == nil {
			reader = new(formula.Reader)
		}
		if reader.Piece(s) {
			return io.EOF
		}
		return nil
	})
	if reader == nil || err != nil {
		return nil, err
	}
	return reader.Text(), nil
}

// maxObjects is the maximum number of objects of a sheet whose texts are written.
const maxObjects = 1000

// readObject writes the text of an object after what describes it.
func (w *writer) readObject(f frame) error {
	if description := cmp.Or(f.description, f.title); description != "" {
		w.out.Text(documents.Placeholder("object", description))
		w.out.Break()
	}
	o := newOverview(format("text"), w.archive)
	object := &writer{format: "text", out: w.out, overview: o, slides: -1}
	return w.archive.Scan(path.Join(f.object, content), object.piece)
}

// writeObjects writes the objects of a sheet.
func (w *writer) writeObjects() error {
	objects := w.objects
	w.objects = nil
	for _, f := range objects {
		w.out.End()
		err := w.readObject(f)
		if err != nil {
			return err
		}
	}
	return nil
}

// place begins a block of a slide for a shape that is in no other.
func (w *writer) place(s *markup.Scanner) {
	isFirst := s.Parent(0) == "page" && w.slides > 0
	if isFirst && (isShape(s.Name) || s.Name == "g") && s.Has("y") {
		w.out.Block(documents.Position{
			Top: length(s.Attr("y")), Left: length(s.Attr("x")), Height: length(s.Attr("height")),
		})
	}
}

// length returns a length such as "2.5cm" in micrometers.
func length(s string) int {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || n > 1e6 || n < -1e6 {
		return 0
	}
	units := map[string]float64{
		"cm": 10_000, "mm": 1000, "in": 25_400, "inch": 25_400, "pt": 353, "pc": 4233,
	}
	return int(n * units[s[len(digits):]])
}

// footer writes the date and the footer of a slide.
func (w *writer) footer() {
	for _, name := range w.footerName {
		if text := w.declarations[name]; text != "" {
			w.out.Line([]byte(documents.Name(text)))
		}
	}
	w.footerName = [2]string{}
}

// A headerWriter writes the headers or the footers of a document, which are in its styles.
type headerWriter struct {
	*writer
	name    string // "header" or "footer"
	section string // the name of the section, until its mark is written
	inside  bool
}

func (h *headerWriter) piece(s *markup.Scanner) error {
	isOther := strings.HasPrefix(s.Name, h.name+"-") && s.Parent(0) == "master-page"
	isHeader := s.Name == h.name || isOther
	switch {
	case s.Piece == markup.Start && isHeader:
		if s.Parent(0) != "master-page" || s.Attr("display") == "false" {
			s.Skip()
			return nil
		}
		h.inside = true
	case s.Piece == markup.End && isHeader:
		h.inside = false
		h.out.End()
	case h.inside && string(s.Text) == "???": // a field without a value
	case h.inside:
		isText := s.Piece == markup.Text && len(strings.TrimSpace(string(s.Text))) > 0
		if isText && h.section != "" {
			h.out.Mark(documents.Mark{Kind: documents.Section, Name: h.section})
			h.section = ""
		}
		return h.writer.piece(s)
	}
	return nil
}
