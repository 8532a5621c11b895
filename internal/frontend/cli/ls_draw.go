package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"time"

	"gander/internal/engine/text"
	"gander/internal/frontend/terminal"
)

// names writes names alone.
func (c *lsCmd) names() {
	if c.null || !c.screen.Terminal && c.screen.Width <= 0 && !c.screen.Color {
		end := "\n"
		if c.null {
			end = "\x00"
		}
		for _, r := range c.rows {
			_, _ = c.out.WriteString(r.Name() + end) // an error is said at the end
		}
		return
	}
	cells := make([]terminal.Cell, len(c.rows))
	for i, r := range c.rows {
		cells[i] = terminal.Cell{
			Drawn: c.name(r.Entry) + mark(r.Type()),
			Width: terminal.Width(c.screen.Name(r.Name()) + mark(r.Type())),
		}
	}
	if c.one || c.screen.Width <= 0 {
		for _, cell := range cells {
			_, _ = c.out.WriteString(cell.Drawn + "\n")
		}
		return
	}
	_, _ = c.out.WriteString(c.screen.Columns(cells))
}

func mark(kind fs.FileMode) string {
	switch kind {
	case fs.ModeDir:
		return "/"
	case fs.ModeSymlink:
		return "@"
	case 0:
		return ""
	default:
		return "|"
	}
}

// table writes a line for each entry. What does not fit is cut from the target, and never from the name.
func (c *lsCmd) table() {
	now := time.Now()
	cells := make([][3]string, len(c.rows))
	var widths [3]int
	for i, r := range c.rows {
		cells[i] = [3]string{kindOf(r.Type()), "-", "-"}
		if r.info != nil {
			cells[i][2] = age(now.Sub(r.info.ModTime()))
			if r.info.Mode().IsRegular() {
				cells[i][1] = size(r.info.Size())
			}
		}
		for j, cell := range cells[i] {
			widths[j] = max(widths[j], len(cell))
		}
	}
	for i, r := range c.rows {
		head := fmt.Sprintf("%-*s  %*s  %*s  ", widths[0], cells[i][0], widths[1], cells[i][1], widths[2], cells[i][2])
		line := c.screen.Paint(terminal.Dim, head) + c.name(r.Entry)
		if r.target != "" {
			line += c.fitted(r.target, len(head)+terminal.Width(c.screen.Name(r.Name())))
		}
		_, _ = c.out.WriteString(line + "\n") // an error is said at the end
	}
}

// fitted is a target as far as it fits behind so many columns.
func (c *lsCmd) fitted(target string, before int) string {
	const arrow = " -> "
	drawn := c.screen.Name(target)
	if c.screen.Width > 0 {
		left := c.screen.Width - before - len(arrow)
		if drawn = c.screen.Cut(drawn, left); left < 4 {
			return ""
		}
	}
	return c.screen.Paint(terminal.Dim, arrow) + drawn
}

func kindOf(kind fs.FileMode) string {
	switch kind {
	case fs.ModeDir:
		return "dir"
	case fs.ModeSymlink:
		return "link"
	case 0:
		return "file"
	default:
		return "other"
	}
}

// size writes bytes in powers of 1024, rounded up, in at most four characters.
func size(n int64) string {
	if n < 1024 {
		return fmt.Sprint(n)
	}
	units := "KMGTPE"
	value := float64(n) / 1024
	for value > 1023 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	if value < 9.95 {
		return fmt.Sprintf("%.1f%c", value, units[0])
	}
	return fmt.Sprintf("%.0f%c", value, units[0])
}

// age writes how long ago something was, in its largest unit.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		name string
		long time.Duration
	}{{"y", 365 * day}, {"mo", 30 * day}, {"d", day}, {"h", time.Hour}, {"min", time.Minute}} {
		if d >= unit.long {
			return fmt.Sprintf("%d%s", d/unit.long, unit.name)
		}
	}
	return fmt.Sprintf("%ds", max(d, 0)/time.Second)
}

// document writes the JSON document, in one piece.
func (c *lsCmd) document() error {
	type entry struct {
		Name     string     `json:"name"`
		Kind     string     `json:"kind"`
		Size     *int64     `json:"size,omitempty"`
		Modified *time.Time `json:"modified,omitempty"`
		Target   string     `json:"target,omitempty"`
	}
	entries := make([]entry, len(c.rows))
	for i, r := range c.rows {
		e := entry{Name: text.Lossy([]byte(r.Name())), Kind: kindOf(r.Type()), Target: text.Lossy([]byte(r.target))}
		if r.info != nil {
			e.Modified = new(r.info.ModTime().UTC())
			if r.info.Mode().IsRegular() {
				e.Size = new(r.info.Size())
			}
		}
		entries[i] = e
	}
	return c.encode(struct {
		Path      string  `json:"path"`
		Entries   []entry `json:"entries"`
		Truncated bool    `json:"truncated"`
	}{text.Lossy([]byte(c.argument)), entries, c.more})
}

// encode writes a value as one line of JSON.
func (v *view) encode(value any) error {
	e := json.NewEncoder(v.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", err)}
	}
	return nil
}
