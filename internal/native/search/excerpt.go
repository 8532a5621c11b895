package search

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/search"
)

const (
	longLine = 400 // the maximum number of bytes shown of a line, unless the budget is small
	maxLead  = 60  // the maximum number of bytes before the match in an excerpt of a line
	// A line or a match of up to wholeLine bytes is shown whole if those of the page have at most
	// longPage bytes together, as three always have.
	wholeLine, longPage = 2000, 3 * wholeLine
)

// An excerpt is a line or a match as the result shows it.
type excerpt struct {
	text string
	full string // all of it, if text is only a part and it has at most wholeLine bytes
}

// lineExcerpt returns the current line as the result shows it. Of a long line, it returns a part
// that begins shortly before the first match.
func (s *textSearch) lineExcerpt(ctx context.Context) (e excerpt) {
	l := s.current.Line
	length := l.Length
	if l.Whole() {
		line := bytes.TrimSuffix(l.Text, []byte("\r"))
		if len(line) <= s.maxLine {
			return excerpt{text: toValidUTF8(line)}
		}
		length = int64(len(line))
		if length <= wholeLine && !l.Context {
			e.full = toValidUTF8(line)
		}
	}
	lastStart := max(length-int64(s.maxLine), 0) // from which the end of the line fits
	e.text = s.markedPart(ctx, min(s.excerptStart(l), lastStart), length)
	return e
}

// excerptStart returns the offset in a line where its excerpt begins, unless that is too near the
// end.
func (s *textSearch) excerptStart(l search.Line) int64 {
	if l.Context {
		return 0
	}
	size := int64(s.maxLine)
	for span, err := range l.Spans(1) {
		if err == nil && span.End > size {
			return max(span.Start-min(maxLead, size/4), 0)
		}
	}
	return 0
}

// markedPart returns a part of the current line, which has a length, from about an offset on, with
// a marker. The part begins and ends with whole characters.
func (s *textSearch) markedPart(ctx context.Context, offset, length int64) string {
	part, err := s.current.bytes(offset, int64(s.maxLine)+utf8.UTFMax)
	if err != nil {
		s.report.AddUnreadable(s.current.shown, err)
	}
	part = part[:min(int64(len(part)), length-offset)]
	start, last := 0, min(len(part), utf8.UTFMax-1)
	for start < last && !utf8.RuneStart(part[start]) { // not backward: the end of the line must fit
		start++
	}
	end := min(start+s.maxLine, len(part))
	if end < len(part) {
		end = max(text.WholeCharacters(part[:end]), start+1)
	}
	from, to := offset+int64(start), offset+int64(end)
	return fmt.Sprintf("%s [bytes %s-%s of %s; %s]",
		toValidUTF8(bytes.TrimSuffix(part[start:end], []byte("\r"))),
		wording.Grouped(from+1), wording.Grouped(to), wording.Grouped(s.current.Line.Length),
		s.current.columnHint(ctx, from))
}

// toValidUTF8 returns text with U+FFFD for each byte that is not UTF-8, and an escape for a NUL, as
// read_file shows them.
func toValidUTF8(text []byte) string {
	if bytes.IndexByte(text, 0) >= 0 {
		text = bytes.ReplaceAll(text, []byte{0}, []byte(`\x00`))
	}
	if utf8.Valid(text) {
		return string(text)
	}
	return string(bytes.Runes(text))
}
