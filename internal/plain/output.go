// Package plain writes results for other programs as they are found: lines in the form of rg and
// find, or one JSON object per line.
package plain

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"sync"
	"time"

	"gander/internal/files/workspace"
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
	Numbers               bool // number the lines of a file
	// Input is what the path "-" stands for.
	Input io.Reader
}

// flushAfter is how long a result can wait for others to be written with it.
const flushAfter = 10 * time.Millisecond

// ErrWrite matches the errors of an [Output] that could not be written.
var ErrWrite = errors.New("cannot write the result")

// An Output writes the results of a command. The first result is written at once, and any other
// within 10 ms. After an error nothing is written. It is not safe for concurrent use.
type Output struct {
	Options
	// Fail is called with the error of a path. The command continues with the next path.
	Fail func(error)

	Found    bool   // there was a result
	Failed   bool   // a path or a file could not be read
	Note     string // what is omitted, on one line, or ""
	Searched int    // the number of files

	line  []byte // scratch space
	paths bool   // lines have paths
	path  string // of the current file of a search
	group bool   // a group of lines has been written
	last  int    // the number of the last line of path, or 0
	stats stats

	mu      sync.Mutex // guards the fields below, which a timer uses
	buf     *bufio.Writer
	timer   *time.Timer
	started bool
	err     error
}

// New returns an Output that writes to w, and calls fail with errors. It must be closed.
func New(w io.Writer, o Options, fail func(error)) *Output {
	out := &Output{Options: o, Fail: fail, buf: bufio.NewWriterSize(w, 32<<10)}
	out.timer = time.AfterFunc(flushAfter, func() { _ = out.flush() })
	return out
}

func (o *Output) flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.buf.Flush()
	if o.err == nil && err != nil {
		o.err = fmt.Errorf("%w: %w", ErrWrite, err)
	}
	return o.err
}

// Close writes what remains. It does not close the underlying writer.
func (o *Output) Close() error {
	if o.JSON && o.Searched > 0 {
		o.endFile()
		o.stats.Searches = o.Searched
		_ = o.object("summary", map[string]stats{"stats": o.stats})
	}
	o.timer.Stop()
	return o.flush()
}

// Write writes bytes unchanged. The error matches [ErrWrite].
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	if o.buf.Buffered() == 0 {
		o.timer.Reset(flushAfter)
	}
	n, err := o.buf.Write(b)
	if err == nil && !o.started {
		err = o.buf.Flush()
	}
	o.started = true
	if err != nil {
		o.err = fmt.Errorf("%w: %w", ErrWrite, err)
	}
	return n, o.err
}

// Err returns the error of writing, which matches [ErrWrite], if any.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// ShowPaths determines whether lines have paths, unless the options do.
func (o *Output) ShowPaths(show bool) { o.paths = show && !o.WithoutPath || o.WithPath }

// An Entry is a file or a directory.
type Entry struct {
	Path string
	Kind workspace.EntryKind
	// Info describes the entry, if that is requested and possible.
	Info *workspace.Info
}

// Entry writes an entry: its path, and with columns its size in bytes and the time of its last
// modification, separated by tabs. What is unknown is "-".
func (o *Output) Entry(e Entry, columns bool) error {
	o.Found = true
	if o.JSON {
		return o.object("entry", entryObject(e))
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
	_, err := o.Write(append(o.line, end))
	return err
}

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// File writes the path of a file that matches.
func (o *Output) File(path string) error {
	return o.Entry(Entry{Path: path, Kind: workspace.Regular}, false)
}

// Count writes the number of matching lines of a file.
func (o *Output) Count(path string, n int) error {
	o.Found = true
	o.line = o.appendPrefix(o.line[:0], path, ":")
	_, err := o.Write(append(strconv.AppendInt(o.line, int64(n), 10), '\n'))
	return err
}

// A Line is a line of a file, or the text in it that matches.
type Line struct {
	Path    string
	Number  int
	Context bool // it does not match
	Text    []byte
	// Rest is the rest of the text, if it is too long for memory.
	Rest io.Reader
	// Offset is the offset of the line in the file, and Spans yields the matches in the text, or is
	// nil.
	Offset int64
	Spans  iter.Seq2[match.Span, error]
}

// spans returns the matches in the text of a line that matches.
func (l Line) spans() iter.Seq2[match.Span, error] {
	if l.Spans == nil || l.Context {
		return func(func(match.Span, error) bool) {}
	}
	return l.Spans
}

// Line writes a line. It writes "--" between groups of lines that are not adjacent if grouped is
// true.
func (o *Output) Line(l Line, grouped bool) error {
	o.Found = o.Found || !l.Context
	if o.JSON {
		return o.lineObject(l)
	}
	adjacent := l.Path == o.path && l.Number <= o.last+1
	o.line = o.line[:0]
	if grouped && o.group && !adjacent {
		o.line = append(o.line, "--\n"...)
	}
	o.group, o.path, o.last = true, l.Path, l.Number
	separator := ":"
	if l.Context {
		separator = "-"
	}
	o.line = o.appendPrefix(o.line, l.Path, separator)
	if !o.WithoutNumber {
		number := o.colored(green, strconv.Itoa(l.Number))
		o.line = append(append(o.line, number...), separator...)
	}
	o.line = o.appendText(o.line, l)
	if l.Rest != nil {
		return o.longLine(l.Rest)
	}
	_, err := o.Write(append(o.line, '\n'))
	return err
}

// longLine writes the line begun in o.line. A line that cannot be read to its end has an end, too.
func (o *Output) longLine(rest io.Reader) error {
	if _, err := o.Write(o.line); err != nil {
		return err
	}
	_, failed := io.Copy(o, rest)
	_, err := o.Write([]byte("\n"))
	if failed != nil {
		return failed
	}
	return err
}

func (o *Output) appendText(dst []byte, l Line) []byte {
	var at int64
	if o.Color {
		for s, err := range l.spans() {
			if err != nil {
				break // color is not worth an error
			}
			dst = append(dst, l.Text[at:s.Start]...)
			dst = append(dst, o.colored(boldRed, string(l.Text[s.Start:s.End]))...)
			at = s.End
		}
	}
	return append(dst, l.Text[at:]...)
}

// appendPrefix appends the path of a line and the separator after it, if lines have paths.
func (o *Output) appendPrefix(dst []byte, path, separator string) []byte {
	switch {
	case !o.paths:
		return dst
	case o.Null:
		separator = "\x00"
	}
	return append(o.appendPath(dst, path), separator...)
}

func (o *Output) appendPath(dst []byte, path string) []byte {
	return append(dst, o.colored(magenta, path)...)
}

// The codes of the colors of a terminal.
const (
	magenta = "35"
	green   = "32"
	boldRed = "1;31"
)

func (o *Output) colored(code, text string) string {
	if !o.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
