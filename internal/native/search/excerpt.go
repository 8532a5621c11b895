package search

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/search"
	"gander/internal/search/match"
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

const (
	windowBytes = 64 << 10 // the maximum size of a part; each shorter line is in memory
	maxColumns  = 64 << 20 // the maximum number of bytes that one search reads to determine columns
)

// A searchedLine is the current result of a search. If it is a line, of any length, its parts are
// read from left to right.
type searchedLine struct {
	search.Result
	shown string // the path of its file in the result

	text []byte // a part of the line
	at   int64  // its offset in the line
	buf  []byte

	offset      int64 // where the last column is, in bytes
	characters  int   // before the offset
	columnBytes int64 // read to determine columns, in all lines
}

// begin makes a result the current one.
func (r *searchedLine) begin(result search.Result) {
	r.Result, r.text, r.at = result, result.Line.Text, 0
	r.offset, r.characters = 0, 0
}

// bytes returns size bytes of the line at an offset, or fewer if the line ends before or the file
// has changed. size must be at most windowBytes. They are valid until the next call.
func (r *searchedLine) bytes(offset, size int64) ([]byte, error) {
	isRead := r.at <= offset && offset+size <= r.at+int64(len(r.text))
	if !r.Line.Whole() && !isRead {
		line, err := r.Line.Open()
		if err != nil {
			return nil, err
		}
		if r.buf == nil {
			r.buf = make([]byte, windowBytes)
		}
		n, err := line.ReadAt(r.buf, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		r.text, r.at = r.buf[:n], offset
	}
	rest := r.text[offset-r.at:]
	return rest[:min(size, int64(len(rest)))], nil
}

// column returns the column of an offset, which must not be before that of the last call. It
// reports false if the column is too costly to determine, or the line cannot be read again.
func (r *searchedLine) column(offset int64) (column int, ok bool) {
	if !r.Line.Whole() {
		size := offset - r.offset
		if r.columnBytes+size > maxColumns {
			return 0, false
		}
		r.columnBytes += size
	}
	for r.offset < offset {
		part, err := r.bytes(r.offset, min(offset-r.offset, windowBytes))
		if err != nil || len(part) == 0 {
			return 0, false
		}
		if int64(len(part)) < offset-r.offset {
			part = part[:max(text.WholeCharacters(part), 1)]
		}
		r.characters += utf8.RuneCount(part)
		r.offset += int64(len(part))
	}
	return r.characters + 1, true
}

// columnHint returns the hint to read the line from an offset on. The hint names only the line if
// the column there is too costly to determine.
func (r *searchedLine) columnHint(ctx context.Context, offset int64) string {
	path := fmt.Sprintf("%s:%d", r.shown, r.Line.Number)
	if column, ok := r.column(offset); ok {
		path += fmt.Sprintf(":%d", column)
	}
	return wording.Tool(ctx, "read_file") + " " + wording.StringArgument(ctx, "path", path)
}

// addTexts adds the texts that match to the page.
func (s *textSearch) addTexts(ctx context.Context) error {
	s.collected = &lineCollector{page: s.report.Page}
	for found, err := range s.results(ctx) {
		if err != nil {
			return err
		}
		if found.Line.Number == 0 {
			s.noteBinary(found.Binary)
			continue
		}
		if err := s.addMatches(ctx); err != nil {
			s.report.AddUnreadable(s.current.shown, err)
		}
	}
	return nil
}

// addMatches adds the matches in the current line, until the search should end.
func (s *textSearch) addMatches(ctx context.Context) error {
	for span, err := range s.current.Line.Spans(math.MaxInt) {
		if err != nil {
			return err
		}
		if s.report.Page.Next() {
			if err := s.addMatch(ctx, span); err != nil {
				return err
			}
		}
		s.limitCounting()
		if s.report.Uncounted {
			break
		}
	}
	return nil
}

// addMatch adds a match in the current line.
func (s *textSearch) addMatch(ctx context.Context, span match.Span) (err error) {
	result := pageLine{path: s.current.shown, number: s.current.Line.Number}
	result.excerpt, err = s.matchExcerpt(ctx, span)
	if s.current.Line.Length > int64(s.maxLine) {
		result.column, _ = s.current.column(span.Start)
	}
	s.collected.addResult(result)
	return err
}

// matchExcerpt returns a match in the current line as the result shows it.
func (s *textSearch) matchExcerpt(ctx context.Context, span match.Span) (e excerpt, err error) {
	size := span.End - span.Start
	part, err := s.current.bytes(span.Start, min(size, wholeLine+utf8.UTFMax))
	if err != nil {
		return e, err
	}
	full := toValidUTF8(bytes.TrimSuffix(part, []byte("\r")))
	if size <= int64(s.maxLine) {
		return excerpt{text: full}, nil
	}
	if size <= wholeLine {
		e.full = full
	}
	part = part[:min(s.maxLine, len(part))] // fewer if the line has become shorter
	part = part[:text.WholeCharacters(part)]
	e.text = fmt.Sprintf("%s [match cut at %s of %s bytes; %s]", toValidUTF8(part),
		wording.Grouped(len(part)), wording.Grouped(size), s.current.columnHint(ctx, span.Start))
	return e, nil
}
