package markup

import (
	"bytes"
	"strings"
)

// isRaw reports whether b, which begins with "<", is in a script or a style sheet of HTML and does
// not end that. Then its "<" is text.
func (s *Scanner) isRaw(b []byte) bool {
	current := s.current()
	if !s.html || current != "script" && current != "style" {
		return false
	}
	name, isEnd := bytes.CutPrefix(b, []byte("</"))
	if n := bytes.IndexAny(name, white+"/>"); n >= 0 {
		name = name[:n]
	}
	name = name[bytes.IndexByte(name, ':')+1:]
	return !isEnd || !strings.EqualFold(string(name), current)
}

// isTag reports whether b, which begins with "<", begins a tag of HTML. Otherwise its "<" is text.
func isTag(b []byte) bool {
	name := bytes.TrimPrefix(b[1:], []byte("/"))
	if len(name) == 0 {
		return false
	}
	letter := name[0] | 0x20 // in lower case
	return 'a' <= letter && letter <= 'z'
}

// endedBy are the elements of HTML whose ends can be missing, and the elements before which they
// end.
var endedBy = map[string][]string{
	"head":  {"body"},
	"title": {"body"},
	"p":     {"p", "li", "dt", "dd", "td", "th", "tr"},
	"li":    {"li"},
	"dt":    {"dt", "dd"},
	"dd":    {"dt", "dd"},
	"td":    {"td", "th", "tr"},
	"th":    {"td", "th", "tr"},
	"tr":    {"tr"},
}

// voids are the elements of HTML that have neither content nor an end.
var voids = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true,
	"input": true, "link": true, "meta": true, "source": true, "wbr": true,
}
