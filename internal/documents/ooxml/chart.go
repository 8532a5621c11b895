package ooxml

import (
	"slices"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

// writeChart writes a chart: its title or another description, then a row of the categories, and a
// row of the values of each series.
func (p *Package) writeChart(part, description string) {
	c := &chart{w: p.Out, title: description}
	p.Scan(part, c.piece)
	c.begin()
}

// A chart is a chart while it is read.
type chart struct {
	w     *documents.Writer
	title string
	begun bool // the line with the title is written

	text   sheet.Buffer // of the current title
	name   sheet.Buffer // of the current series
	bytes  int          // of its values
	cut    bool         // some of its values are left out
	format sheet.Format
	point  sheet.Buffer
	number int        // of the point
	points []string   // of the current row, by their numbers
	rows   [][]string // of the current categories or values
	shown  [][]string // the categories that were written last
	levels [][]string // of the current categories
	values [][]string // of the current series
}

// Limits of the values of a series.
const (
	maxPoints     = 1 << 14
	maxPointBytes = 1 << 20
)

func (c *chart) piece(s *markup.Scanner) {
	switch s.Piece {
	case markup.Start:
		if (s.Name == "p" || s.Name == "br") && s.In("title") && len(c.text.Bytes) > 0 {
			c.text.Add(c.w, []byte{' '})
		} else {
			c.start(s)
		}
	case markup.End:
		c.end(s.Name)
	case markup.Text:
		c.add(s)
	}
}

func (c *chart) start(s *markup.Scanner) {
	switch s.Name {
	case "Fallback", "extLst", "dLbls", "trendline", "errBars":
		s.Skip()
	case "title":
		c.text.Reset()
	case "ser", "data":
		c.name.Reset()
		c.levels, c.values, c.bytes, c.cut = nil, nil, 0, false
	case "numCache", "numLit", "strCache", "strLit":
		c.format, c.points = sheet.Format{}, nil
	case "pt":
		c.point.Reset()
		c.number = s.Number("idx", maxPoints)
	}
}

// add adds text to what it belongs to.
func (c *chart) add(s *markup.Scanner) {
	parent := s.Parent(0)
	switch {
	case s.In("title") && (parent == "t" || parent == "v"):
		c.text.Add(c.w, s.Text)
	case parent == "formatCode":
		c.format = sheet.NewFormat(string(s.Text))
	case s.In("tx") && parent == "v":
		c.name.Add(c.w, s.Text)
	case parent == "v" || parent == "pt":
		c.point.Add(c.w, s.Text)
	}
}

func (c *chart) end(name string) {
	switch name {
	case "title":
		if c.begun { // of an axis
			c.row(documents.Placeholder("title", string(c.text.Bytes)))
		} else {
			c.title = string(c.text.Bytes)
		}
	case "plotArea":
		c.begin()
	case "pt":
		c.endPoint()
	case "lvl":
		c.endRow()
	case "cat", "xVal", "strDim":
		c.endRow()
		c.levels, c.rows = c.rows, nil
	case "val", "yVal", "bubbleSize", "numDim":
		c.endRow()
		c.values, c.rows = append(c.values, c.rows...), nil
	case "ser", "data":
		c.endSeries()
	}
}

func (c *chart) endPoint() {
	const pointBytes = 16 // the size of a point without its value
	value := string(c.format.Text(c.point.Bytes, false))
	missing := max(c.number+1-len(c.points), 0)
	c.bytes += len(value) + missing*pointBytes
	if c.number == maxPoints || c.bytes > maxPointBytes {
		c.cut = true
		return
	}
	c.points = append(c.points, make([]string, missing)...)
	c.points[c.number] = value
}

// endRow ends a row of points, unless there are none.
func (c *chart) endRow() {
	if len(c.points) > 0 {
		c.rows, c.points = append(c.rows, c.points), nil
	}
}

// begin writes the title, once.
func (c *chart) begin() {
	if !c.begun {
		c.begun = true
		c.row(documents.Placeholder("chart", c.title))
	}
}

func (c *chart) endSeries() {
	c.begin()
	if !slices.EqualFunc(c.levels, c.shown, slices.Equal) {
		c.shown = c.levels
		for _, level := range c.levels {
			c.row(nil, level...)
		}
	}
	for _, values := range c.values {
		c.row(c.name.Bytes, values...)
	}
	if c.cut {
		c.row([]byte("[further values left out]"))
	}
}

// row writes a line with values.
func (c *chart) row(name []byte, values ...string) {
	c.w.Break()
	c.w.Text(name)
	for _, value := range values {
		if c.w.Tables() > 0 {
			c.w.Text([]byte{' '})
		} else {
			c.w.Tab()
		}
		c.w.Text([]byte(value))
	}
	c.w.Break()
}
