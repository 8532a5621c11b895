package terminal

import (
	"io/fs"
	"strings"
)

// A Style is the parameters of the terminal's SGR sequence, "01;34" for one. "" is plain.
type Style string

// Styles of what is no file.
const (
	Dim     Style = "2"
	Bad     Style = "31"
	Comment Style = "2;3"
	Quoted  Style = "32"
	Number  Style = "36"
	Keyword Style = "35"
)

// Paint returns drawn in a style, where colours are wanted.
func (s *Screen) Paint(style Style, drawn string) string {
	if !s.Color || style == "" || drawn == "" {
		return drawn
	}
	return "\x1b[" + string(style) + "m" + drawn + "\x1b[0m"
}

// StyleOf is the style of a file by its type and name.
func (s *Screen) StyleOf(kind fs.FileMode, name string) Style {
	if !s.Color {
		return ""
	}
	return s.styles.of(kind, name)
}

// Styles are what LS_COLORS says.
type Styles struct {
	directory, link, file, other Style
	suffixes                     []suffix // a later one has the first word
}

type suffix struct {
	end   string // lower case
	style Style
}

// ParseStyles reads LS_COLORS. What is not understood, and what is no SGR sequence, is passed over; directories, links and
// others that it does not name look as GNU ls shows them. Of the types it knows di, ln, fi, and pi for all others, as
// nothing is asked about an entry for the sake of its colour.
func ParseStyles(colors string) *Styles {
	s := &Styles{directory: "01;34", link: "01;36", other: "33"}
	for part := range strings.SplitSeq(colors, ":") {
		key, value, ok := strings.Cut(part, "=")
		style := Style(value)
		switch {
		case !ok || strings.Trim(value, "0123456789;") != "":
			continue
		case strings.Trim(value, "0;") == "":
			style = ""
		}
		switch {
		case key == "di":
			s.directory = style
		case key == "ln":
			s.link = style
		case key == "fi":
			s.file = style
		case key == "pi":
			s.other = style
		case len(key) > 1 && key[0] == '*':
			s.suffixes = append(s.suffixes, suffix{strings.ToLower(key[1:]), style})
		}
	}
	return s
}

func (s *Styles) of(kind fs.FileMode, name string) Style {
	switch kind.Type() {
	case fs.ModeDir:
		return s.directory
	case fs.ModeSymlink:
		return s.link
	case 0:
	default:
		return s.other
	}
	if len(s.suffixes) > 0 {
		name = strings.ToLower(name)
	}
	for i := len(s.suffixes) - 1; i >= 0; i-- {
		if strings.HasSuffix(name, s.suffixes[i].end) {
			return s.suffixes[i].style
		}
	}
	return s.file
}
