package terminal

import (
	"slices"
	"strings"
)

// A Cell is a piece of a table: what is written, and how many columns that takes.
type Cell struct {
	Drawn string
	Width int
}

// gap is how many columns lie between two cells.
const gap = 2

// Columns sets cells one below another, in as many columns as the screen's width takes; a cell that is wider than the
// screen stands alone.
func (s *Screen) Columns(cells []Cell) string {
	widths := s.fit(cells)
	rows := ceil(len(cells), len(widths))
	var out strings.Builder
	for row := range rows {
		for i := row; i < len(cells); i += rows {
			out.WriteString(cells[i].Drawn)
			if i+rows < len(cells) {
				out.WriteString(strings.Repeat(" ", widths[i/rows]-cells[i].Width+gap))
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// fit returns the widths of the most columns that fit.
func (s *Screen) fit(cells []Cell) []int {
	if len(cells) == 0 {
		return nil
	}
	least := slices.MinFunc(cells, func(a, b Cell) int { return a.Width - b.Width }).Width
	most := len(cells)
	if s.Width > 0 {
		most = min(most, (s.Width+gap)/(least+gap))
	}
	for n := most; n > 1; n-- {
		rows := ceil(len(cells), n)
		if ceil(len(cells), rows) < n {
			continue // the last column would be empty
		}
		widths := make([]int, n)
		total := -gap
		for i, c := range cells {
			widths[i/rows] = max(widths[i/rows], c.Width)
		}
		for _, w := range widths {
			total += w + gap
		}
		if s.Width <= 0 || total <= s.Width {
			return widths
		}
	}
	return []int{slices.MaxFunc(cells, func(a, b Cell) int { return a.Width - b.Width }).Width}
}

func ceil(n, by int) int {
	if by == 0 {
		return 0
	}
	return (n + by - 1) / by
}
