package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns is the width of the terminal.
const columns = 80

// A span is text of one style.
type span struct {
	text  string
	style style
}

// A style is what escape sequences have set.
type style struct {
	bold, faint bool
	color       int // 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan; 0 for the color of text
}

// parse returns the lines of what a terminal gets, broken where the terminal would break them. It knows the escape sequences for
// colors, bold and faint text.
func parse(session []byte) ([][]span, error) {
	var lines [][]span
	var current style
	for line := range strings.Lines(string(session)) {
		line = strings.TrimSuffix(line, "\n")
		var spans []span
		width := 0
		for line != "" {
			if sequence, ok := strings.CutPrefix(line, "\x1b["); ok {
				codes, rest, found := strings.Cut(sequence, "m")
				if !found {
					return nil, fmt.Errorf("%.20q: this escape sequence cannot be drawn", line)
				}
				for code := range strings.SplitSeq(codes, ";") {
					if err := current.set(code); err != nil {
						return nil, err
					}
				}
				line = rest
				continue
			}
			if line[0] == '\t' {
				line = strings.Repeat(" ", 8-width%8) + line[1:]
			}
			r, size := utf8.DecodeRuneInString(line)
			if r < ' ' {
				return nil, fmt.Errorf("%.20q: this character cannot be drawn", line)
			}
			if width == columns {
				lines, spans, width = append(lines, spans), nil, 0
			}
			if len(spans) == 0 || spans[len(spans)-1].style != current {
				spans = append(spans, span{style: current})
			}
			spans[len(spans)-1].text += line[:size]
			line, width = line[size:], width+1
		}
		lines = append(lines, spans)
	}
	return lines, nil
}

// set changes the style as the code of an escape sequence says.
func (s *style) set(code string) error {
	n, err := strconv.Atoi("0" + code)
	switch {
	case err != nil:
		return err
	case n == 0:
		*s = style{}
	case n == 1:
		s.bold = true
	case n == 2:
		s.faint = true
	case n == 22:
		s.bold, s.faint = false, false
	case n == 39:
		s.color = 0
	case 31 <= n && n <= 36:
		s.color = n - 30
	case 91 <= n && n <= 96:
		s.color = n - 90
	default:
		return fmt.Errorf("the escape sequence with %q cannot be drawn", code)
	}
	return nil
}

// A theme is the colors of a picture. The first color is that of text.
type theme struct {
	name, background, border, faint string
	colors                          [7]string
}

func themes() []theme {
	return []theme{
		{"light", "#ffffff", "#d0d7de", "#6e7781", [...]string{"#1f2328", "#cf222e", "#116329", "#7d4e00", "#0969da", "#8250df", "#1b7c83"}},
		{"dark", "#0d1117", "#30363d", "#7d8590", [...]string{"#e6edf3", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea"}},
	}
}

// draw returns the lines as a picture in the format SVG.
func (t theme) draw(lines [][]span) []byte {
	const character, height, margin = 8.4, 20, 16
	var all bytes.Buffer
	width, bottom := int(character*columns)+2*margin, height*len(lines)+2*margin
	fmt.Fprintf(&all, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", width, bottom)
	fmt.Fprintf(&all, "<title>gander in a terminal</title>\n")
	fmt.Fprintf(&all, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, bottom-1, t.background, t.border)
	fmt.Fprintf(&all, `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="%s" xml:space="preserve">`+"\n", t.colors[0])
	for i, line := range lines {
		length := 0
		for _, s := range line {
			length += utf8.RuneCountInString(s.text)
		}
		if length == 0 {
			continue
		}
		// The length holds in every font.
		fmt.Fprintf(&all, `<text x="%d" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs">`, margin, margin+height*i+15, character*float64(length))
		for _, s := range line {
			t.drawSpan(&all, s)
		}
		all.WriteString("</text>\n")
	}
	all.WriteString("</g>\n</svg>\n")
	return all.Bytes()
}

func (t theme) drawSpan(all *bytes.Buffer, s span) {
	var attributes []string
	switch {
	case s.style.color > 0:
		attributes = append(attributes, fmt.Sprintf(`fill="%s"`, t.colors[s.style.color]))
	case s.style.faint:
		attributes = append(attributes, fmt.Sprintf(`fill="%s"`, t.faint))
	}
	if s.style.bold {
		attributes = append(attributes, `font-weight="bold"`)
	}
	if len(attributes) > 0 {
		fmt.Fprintf(all, "<tspan %s>", strings.Join(attributes, " "))
		defer all.WriteString("</tspan>")
	}
	// A browser would shorten spaces.
	_ = xml.EscapeText(all, bytes.ReplaceAll([]byte(s.text), []byte(" "), []byte("\u00a0")))
}
