package ooxml

import (
	"slices"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/sheet"
)

// WriteChart writes a chart: its title or another description, then a row of the categories, and a
// row of the values of each series.
func (p *Package) WriteChart(w *documents.Writer, part, description string) error {
	c := &chart{w: w, title: description}
	err := p.Scan(part, c.piece)
	if err != nil {
		return err
	}
	c.begin()
	return w.Err()
}

// A chart is a chart while it is read.
type chart struct {
	w     *documents.Writer
	title string
	begun bool // the line with the title is written

	text   sheet.Buffer // of the current title
	name   sheet.Buffer // of the current series
	format sheet.Format
	points points     // of the current values
	shown  [][]string // the categories that were written last
	levels [][]string // of the current categories
	values [][]string // of the current series
}

// points are values by their numbers.
type points struct {
	values  []string
	current sheet.Buffer
	bytes   int
	more    bool // some are left out
}

// Limits of the values of a series.
const (
	maxPoints     = 1 << 14
	maxPointBytes = 256 << 10
)

// set sets the current value with a number.
func (p *points) set(n int, value []byte) {
	p.bytes += len(value)
	if n >= maxPoints || p.bytes > maxPointBytes {
		p.more = true
		return
	}
	for len(p.values) <= n {
		p.values = append(p.values, "")
	}
	p.values[n] = string(value)
}

// take returns the values, and forgets them.
func (p *points) take() []string {
	values := p.values
	if p.more {
		values = append(values, "[further values left out]")
	}
	*p = points{}
	return values
}

func (c *chart) piece(s *markup.Scanner) error {
	switch s.Piece {
	case markup.Start:
		c.start(s)
	case markup.End:
		c.end(s.Name)
	case markup.Text:
		return c.add(s)
	}
	return c.w.Err()
}

func (c *chart) start(s *markup.Scanner) {
	switch s.Name {
	case "Fallback", "extLst", "dLbls", "trendline", "errBars":
		s.Skip()
	case "title":
		c.text.Reset()
	case "ser", "data":
		c.name.Reset()
		c.levels, c.values = nil, nil
	case "numCache", "numLit", "strCache", "strLit":
		c.format = sheet.Format{}
		c.points.take()
	case "pt":
		c.points.current.Reset()
		c.points.current.Number = s.Number("idx", maxPoints)
	}
}

// add adds text to what it belongs to.
func (c *chart) add(s *markup.Scanner) error {
	parent := s.Parent(0)
	switch {
	case s.In("title") && (parent == "t" || parent == "v"):
		return c.text.Add(s.Text)
	case parent == "formatCode":
		c.format = sheet.NewFormat(string(s.Text))
	case s.In("tx") && parent == "v":
		return c.name.Add(s.Text)
	case parent == "v" || parent == "pt":
		return c.points.current.Add(s.Text)
	}
	return nil
}

func (c *chart) end(name string) {
	switch name {
	case "title":
		c.endTitle()
	case "plotArea":
		c.begin()
	case "pt":
		current := c.points.current
		c.points.set(current.Number, c.format.Text(current.Bytes, false))
	case "lvl":
		c.levels = append(c.levels, c.points.take())
	case "cat", "xVal", "strDim":
		if len(c.points.values) > 0 {
			c.levels = append(c.levels, c.points.take())
		}
	case "val", "yVal", "bubbleSize", "numDim":
		if name == "numDim" && len(c.levels) > 0 {
			c.values = append(c.values, c.levels[len(c.levels)-1])
			c.levels = c.levels[:len(c.levels)-1]
		} else {
			c.values = append(c.values, c.points.take())
		}
	case "ser", "data":
		c.endSeries()
	}
}

// endTitle ends the title of the chart, or the one of an axis.
func (c *chart) endTitle() {
	if c.begun {
		c.row(documents.Placeholder("title", string(c.text.Bytes)))
	} else {
		c.title = string(c.text.Bytes)
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
