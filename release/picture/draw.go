package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// columns is the width of the terminal.
const columns = 80

// A theme is the colors of a picture, and the attributes of text in each style that the session uses, by the parameters of the
// escape sequence that begins it.
type theme struct {
	name, background, border, text string
	styles                         map[string]string
}

func themes() []theme {
	return []theme{
		{"light", "#ffffff", "#d0d7de", "#1f2328", styles("#6e7781", "#cf222e", "#116329", "#8250df")},
		{"dark", "#0d1117", "#30363d", "#e6edf3", styles("#7d8590", "#ff7b72", "#7ee787", "#d2a8ff")},
	}
}

func styles(faint, red, green, magenta string) map[string]string {
	const bold = ` font-weight="bold"`
	fill := func(color string) string { return ` fill="` + color + `"` }
	return map[string]string{"1": bold, "2": fill(faint), "1;31": fill(red) + bold, "32": fill(green), "35": fill(magenta)}
}

// draw returns what a terminal gets as a picture in the format SVG.
func (t theme) draw(session string) ([]byte, error) {
	const character, height, margin = 8.4, 20, 16
	lines := strings.Split(strings.TrimSuffix(session, "\n"), "\n")
	var all bytes.Buffer
	width, bottom := int(character*columns)+2*margin, height*len(lines)+2*margin
	fmt.Fprintf(&all, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", width, bottom)
	fmt.Fprintf(&all, "<title>gander in a terminal</title>\n")
	fmt.Fprintf(&all, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, bottom-1, t.background, t.border)
	fmt.Fprintf(&all, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="%s" xml:space="preserve">`+"\n", t.text)
	for i, line := range lines {
		spans, length, err := t.drawLine(line)
		if err != nil {
			return nil, err
		}
		if length > 0 { // The length holds in every font.
			fmt.Fprintf(&all, `<text x="%d" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n", margin, margin+height*i+15, character*float64(length), spans)
		}
	}
	all.WriteString("</g>\n</svg>\n")
	return all.Bytes(), nil
}

// drawLine returns a line, and its length in characters.
func (t theme) drawLine(line string) (spans []byte, length int, err error) {
	var all bytes.Buffer
	for i, part := range strings.Split(line, "\x1b[") {
		attributes := ""
		if i > 0 {
			code, rest, _ := strings.Cut(part, "m")
			known := false
			if attributes, known = t.styles[code]; !known && code != "0" {
				return nil, 0, fmt.Errorf("%.20q: an escape sequence cannot be drawn", line)
			}
			part = rest
		}
		var text strings.Builder
		for _, r := range part {
			cell := string(r)
			switch {
			case r == '\t':
				cell = strings.Repeat("\u00a0", 8-length%8)
			case r == ' ':
				cell = "\u00a0" // A browser would shorten spaces.
			case r < ' ':
				return nil, 0, fmt.Errorf("%.20q: a character cannot be drawn", line)
			}
			text.WriteString(cell)
			length += utf8.RuneCountInString(cell)
		}
		if text.Len() > 0 && attributes != "" {
			fmt.Fprintf(&all, "<tspan%s>", attributes)
		}
		_ = xml.EscapeText(&all, []byte(text.String()))
		if text.Len() > 0 && attributes != "" {
			all.WriteString("</tspan>")
		}
	}
	if length > columns {
		return nil, 0, fmt.Errorf("%.20q: the line is longer than %d characters", line, columns)
	}
	return all.Bytes(), length, nil
}
