package odf

import (
	"strconv"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// startSlide begins a slide. Only a hostile file has one in the notes of another, where the
// overview does not count it.
func (w *writer) startSlide(s *markup.Scanner) {
	titles := w.overview.titles
	if w.format != Presentation || w.slides == len(titles) {
		return
	}
	w.slides++
	w.notes = false
	w.footers = []string{s.Attr("use-date-time-name"), s.Attr("use-footer-name")}
	w.out.Mark(documents.Mark{
		Kind: documents.Slide, Number: w.slides, Total: len(titles), Name: titles[w.slides-1].Text,
		Hidden: w.overview.hidden[s.Attr("style-name")],
	})
	w.out.StartBlocks()
}

// endShapes ends the shapes of a slide, and writes its date and footer.
func (w *writer) endShapes() {
	w.out.EndBlocks()
	for _, name := range w.footers {
		w.out.End()
		w.out.Text([]byte(w.declarations[name]))
		w.out.End()
	}
	w.footers = nil
}

// place begins a block of a slide for a shape that is in no other.
func (w *writer) place(s *markup.Scanner) {
	isFirst := s.Parent(0) == "page" && w.slides > 0
	if isFirst && (shapes[s.Name] || s.Name == "g") && s.Has("y") {
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
