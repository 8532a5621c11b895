package section

import (
	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/tool"
)

// A Section is the part of a result about one path.
type Section struct {
	Heading string // the first line, which describes the range shown; never empty

	Body      string // the entries: lines of a file, paths or matches
	Markers   string // the lines after the entries, about omitted entries and how to get them
	Items     int    // the number of items in the body; without any, it is no line
	bodySize  Size   // if known
	Truncated bool
	Nothing   bool // a search found nothing
	// unreadable says that files or directories below the path could not be read.
	Unreadable bool
	Data       []tool.Part // images
}

func (s Section) text() string {
	heading, markers := s.frame()
	if s.Items > 0 {
		heading += "\n"
	}
	return wording.JoinLines(heading+s.Body, markers)
}

// frame returns the heading, which is one line whatever the names in it contain, and the markers.
func (s Section) frame() (heading, markers string) {
	return text.Escape(s.Heading), text.EscapeLines(s.Markers)
}

func (s Section) Size() Size {
	frame := wording.JoinLines(s.frame())
	total := SizeOf(frame)
	if s.Items > 0 {
		total = LineSize(frame)
	}
	if s.bodySize == (Size{}) {
		s.bodySize = SizeOf(s.Body)
	}
	return total.Plus(s.bodySize)
}

// WithHint returns the section with a hint at the end of the heading, and with a marker at its end:
// what is left, and the hint.
func (s Section) WithHint(left, hint string) Section {
	s.Heading += "; " + hint
	s.Markers = "[" + left + "; " + hint + "]"
	return s
}
