// Package plain writes results for other programs as they are found: lines in the form of rg and
// find, or one JSON object per line.
package plain

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
)

// Options determines the form of an [Output].
type Options struct {
	JSON  bool // write objects instead of lines
	Null  bool // end each path with a NUL byte
	Color bool
	// WithPath and WithoutPath determine whether a line of a search has the path. By default it has,
	// unless the only path is a file.
	WithPath, WithoutPath bool
	WithoutNumber         bool // omit the number from a line of a search
	Text                  bool // write the text of documents instead of their bytes
	// Input is what the path "-" stands for.
	Input io.Reader
}

// An Output writes the results of a command. Its methods need not return an error of the writer,
// which [Output.Err] and [Output.Close] do. An Output is not safe for concurrent use, except
// [Output.Flush].
type Output struct {
	Options
	// Fail is called with the error of a path. The command continues with the next path.
	Fail func(error)

	out             *buffer
	json            jsonWriter
	found           bool
	isSearch        bool   // BeginSearch has been called
	showsPaths      bool   // lines have paths
	separatesGroups bool   // lines have context, so "--" is between groups of adjacent lines
	line            []byte // scratch space
	path            string // of the last line, or "" since a search began
	number          int    // of the last line, or 0 before the first
}

// New returns an Output that writes to w, and calls fail with errors. It must be closed.
func New(w io.Writer, o Options, fail func(error)) *Output {
	b := newBuffer(w)
	return &Output{Options: o, Fail: fail, out: b, json: jsonWriter{out: b}}
}

// Write writes bytes unchanged.
func (o *Output) Write(p []byte) (int, error) { return o.out.write(p) }

// Flush writes what is buffered.
func (o *Output) Flush() error { return o.out.flush() }

// Err returns the error of the writer, if any.
func (o *Output) Err() error { return o.out.err() }

// Close writes what is buffered. It does not close the writer.
func (o *Output) Close() error { return o.out.close() }

// Found reports whether there was a result. Lines of context are none.
func (o *Output) Found() bool { return o.found }

// MarkFound records a result of which nothing need be written, such as an empty directory.
func (o *Output) MarkFound() { o.found = true }

// BeginSearch begins the results of a search below a path. Lines have paths if showPaths is true,
// unless the options determine that, and "--" between groups that are not adjacent if they have
// context. The same file can have been searched before, as it can be given twice.
func (o *Output) BeginSearch(showPaths, hasContext bool) {
	o.showsPaths = o.WithPath || showPaths && !o.WithoutPath
	o.separatesGroups, o.isSearch = hasContext, true
	o.path = ""
	o.json.endFile()
}

// EndSearch ends the results of a search of a number of files, if there was one.
func (o *Output) EndSearch(files int) {
	if o.JSON && o.isSearch {
		o.json.summary(files)
	}
}

// A Summary is what there is to say after the results of a command.
type Summary struct {
	Failed bool   // a path or a file could not be read
	Note   string // what is omitted, on one line, or ""
}

// An Entry is a file or a directory.
type Entry struct {
	Path string
	Kind workspace.EntryKind
	// Info describes the entry, if that is requested and possible.
	Info *workspace.Info
}

// Entry writes an entry: its path, and with columns its size in bytes and the time of its last
// modification, separated by tabs. What is unknown is "-".
func (o *Output) Entry(e Entry, columns bool) {
	o.found = true
	if o.JSON {
		o.json.entry(e)
		return
	}
	o.line = o.appendPath(o.line[:0], e.Path)
	if columns {
		size, modified := "-", "-"
		if e.Info != nil {
			modified = timeText(e.Info.ModTime)
		}
		if e.Info != nil && e.Info.Kind == workspace.Regular {
			size = strconv.FormatInt(e.Info.Size, 10)
		}
		o.line = fmt.Appendf(o.line, "\t%s\t%s", size, modified)
	}
	end := byte('\n')
	if o.Null {
		end = 0
	}
	_, _ = o.Write(append(o.line, end))
}

func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Count writes the number of matching lines of a file.
func (o *Output) Count(path string, n int) {
	o.found = true
	o.line = o.appendPrefix(o.line[:0], path, ":")
	_, _ = o.Write(append(strconv.AppendInt(o.line, int64(n), 10), '\n'))
}

// Line writes a line of a file, of any length. If the line is too long for memory and cannot be
// read again, Line returns that error.
func (o *Output) Line(path string, l search.Line) error {
	o.found = o.found || !l.Context
	if o.JSON {
		return o.json.line(path, l, matchesIn(l))
	}
	o.line = o.line[:0]
	isAdjacent := path == o.path && l.Number <= o.number+1
	if o.separatesGroups && o.number > 0 && !isAdjacent {
		o.line = append(o.line, "--\n"...)
	}
	o.beginLine(path, l)
	if !l.Whole() {
		text, err := openPart(l, match.Span{End: l.Length})
		if err != nil {
			return err
		}
		o.path, o.number = path, l.Number
		return o.copyText(text)
	}
	o.path, o.number = path, l.Number
	if o.Color {
		o.line = AppendMatches(o.line, l.Text, matchesIn(l))
	} else {
		o.line = append(o.line, l.Text...)
	}
	_, _ = o.Write(append(o.line, '\n'))
	return nil
}

// matchesIn returns the matches in a line. A line of context has none.
func matchesIn(l search.Line) iter.Seq2[match.Span, error] {
	if l.Context {
		return func(func(match.Span, error) bool) {}
	}
	return l.Spans(math.MaxInt)
}

// maxMatch is the maximum size of a match that is written from memory. A search has the piece of a
// long line in which it found the match.
const maxMatch = 64 << 10

// Match writes a match in a line, of any length. It returns the same errors as [Output.Line].
func (o *Output) Match(path string, l search.Line, s match.Span) error {
	o.found = true
	o.line = o.line[:0]
	o.beginLine(path, l)
	if s.End-s.Start > maxMatch && !l.Whole() {
		text, err := openPart(l, s)
		if err != nil {
			return err
		}
		return o.copyText(text)
	}
	text, err := part(l, s)
	if err != nil {
		return err
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	o.line = append(o.line, o.colored(MatchColor, string(text))...)
	_, _ = o.Write(append(o.line, '\n'))
	return nil
}

// part returns a part of a line. It reads a part of a long line again.
func part(l search.Line, s match.Span) ([]byte, error) {
	if l.Whole() {
		return l.Text[s.Start:s.End], nil
	}
	line, err := l.Open()
	if err != nil {
		return nil, err
	}
	text := make([]byte, s.End-s.Start)
	n, err := line.ReadAt(text, s.Start)
	if err == io.EOF { // the file has become shorter
		err = nil
	}
	return text[:n], err
}

// beginLine appends what is before the text of a line.
func (o *Output) beginLine(path string, l search.Line) {
	separator := ":"
	if l.Context {
		separator = "-"
	}
	o.line = o.appendPrefix(o.line, path, separator)
	if !o.WithoutNumber {
		o.line = append(o.line, o.colored(NumberColor, strconv.Itoa(l.Number))+separator...)
	}
}

// openPart returns a part of a long line, which is read again. It returns an error if the part
// cannot be read at all.
func openPart(l search.Line, s match.Span) (io.Reader, error) {
	line, err := l.Open()
	if err != nil {
		return nil, err
	}
	part := io.NewSectionReader(line, s.Start, s.End-s.Start)
	if _, err := part.ReadAt(make([]byte, 1), 0); err != nil && err != io.EOF {
		return nil, err
	}
	return part, nil
}

// copyText writes the line that has begun, with a text. It ends the line in any case.
func (o *Output) copyText(text io.Reader) error {
	_, _ = o.Write(o.line)
	_, err := io.Copy(o, text)
	_, _ = o.Write([]byte("\n"))
	return err
}

// appendPrefix appends the path of a line and the separator after it, if lines have paths.
func (o *Output) appendPrefix(dst []byte, path, separator string) []byte {
	switch {
	case !o.showsPaths:
		return dst
	case o.Null:
		separator = "\x00"
	}
	return append(o.appendPath(dst, path), separator...)
}

func (o *Output) appendPath(dst []byte, path string) []byte {
	return append(dst, o.colored(PathColor, path)...)
}

func (o *Output) colored(c Color, text string) string {
	if o.Color {
		return c.Apply(text)
	}
	return text
}
