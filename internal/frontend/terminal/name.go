package terminal

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"gander/internal/engine/text"
)

// Width is how many columns a text without control characters takes.
func Width(s string) int { return displaywidth.String(s) }

// Name returns a name as it is drawn: on one line, and without a character that steers the terminal or hides others. Bytes
// that are not UTF-8 are shown as \xff, and where the screen shows ASCII only, other characters as \u00e9.
func (s *Screen) Name(raw string) string {
	if text.IsPrintableASCII([]byte(raw)) {
		return raw
	}
	var out strings.Builder
	for len(raw) > 0 {
		r, size := utf8.DecodeRuneInString(raw)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, raw[0])
		case r >= utf8.RuneSelf && !s.Unicode && r > 0xffff:
			fmt.Fprintf(&out, `\U%08x`, r)
		case r >= utf8.RuneSelf && !s.Unicode:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteString(text.Escape(text.Sanitize(raw[:size])))
		}
		raw = raw[size:]
	}
	return out.String()
}

// Text returns a line of a file as it is drawn. Tabs stay.
func (s *Screen) Text(raw string) string {
	if s.Unicode {
		return strings.ReplaceAll(text.Sanitize(raw), "\n", `\n`)
	}
	parts := strings.Split(raw, "\t")
	for i, part := range parts {
		parts[i] = s.Name(part)
	}
	return strings.Join(parts, "\t")
}

// Cut returns what fits into width columns of s, a text as it is drawn, with a mark for what is missing.
func (s *Screen) Cut(drawn string, width int) string {
	if Width(drawn) <= width {
		return drawn
	}
	return displaywidth.TruncateString(drawn, max(width, 0), s.Pick("…", "..."))
}

// Pick returns the Unicode text where the screen shows it, else the other.
func (s *Screen) Pick(unicode, ascii string) string {
	if s.Unicode {
		return unicode
	}
	return ascii
}

// Link makes drawn a hyperlink to the file whose absolute path the elements make, as with [filepath.Join], where hyperlinks
// are wanted.
func (s *Screen) Link(drawn string, elements ...string) string {
	if !s.links {
		return drawn
	}
	path := filepath.Join(elements...)
	if !filepath.IsAbs(path) {
		return drawn
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Host: s.host, Path: path}
	return "\x1b]8;;" + u.String() + "\x1b\\" + drawn + "\x1b]8;;\x1b\\"
}
