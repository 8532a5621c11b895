package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"gander/internal/files/workspace"
)

const (
	inputBuffer  = 64 << 10
	outputBuffer = 4 << 10 // as in GNU's programs, so that a reader that has enough ends them as early
	earlyLines   = 100     // of Output.Early
)

var (
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, inputBuffer) }}
	buffers = sync.Pool{New: func() any { b := make([]byte, 0, outputBuffer); return &b }}
)

// An Input is what a descriptor reads. Commands that share it continue where the last one stopped:
// after what it has used, unless it leaves a Block or the end of what it has read.
type Input struct {
	*bufio.Reader
	// File is the regular file that is read from its beginning, or nil. A command can read it at any
	// offset instead.
	File *workspace.File
	// Empty reports that there is nothing to read, as in /dev/null.
	Empty bool
	// Block, if not 0, is the size of the blocks that are read: Close leaves the rest of the last one.
	Block  int64
	source *source
	start  int64 // where the first block begins
	close  func()
	shared bool
}

// NewInput returns an Input that reads r. Close calls close if it is not nil.
func NewInput(r io.Reader, close func()) *Input {
	s := &source{in: r}
	b := readers.Get().(*bufio.Reader)
	b.Reset(s)
	return &Input{Reader: b, source: s, close: close}
}

// FileInput returns an Input that reads a file from its beginning, and whose Close closes it.
func FileInput(ctx context.Context, file *workspace.File) *Input {
	in := NewInput(nil, func() { file.Close() })
	in.source.ctx, in.source.file, in.File = ctx, file, file
	return in
}

// NoInput returns an Input like /dev/null.
func NoInput() *Input {
	in := NewInput(bytes.NewReader(nil), nil)
	in.Empty = true
	return in
}

// Share returns an Input that continues in, and whose Close closes nothing.
func (in *Input) Share() *Input {
	shared := *in
	shared.shared, shared.start = true, in.At()
	return &shared
}

// At returns the number of bytes that were used.
func (in *Input) At() int64 { return in.source.at - int64(in.Buffered()) }

// Continue moves to an offset of File.
func (in *Input) Continue(offset int64) {
	in.source.at, in.start = offset, offset
	in.Reset(in.source)
}

// Close ends the reading. Closing again does nothing.
func (in *Input) Close() {
	switch {
	case in.Reader == nil:
		return
	case in.shared && in.Block > 0:
		rest := (in.Block - (in.At()-in.start)%in.Block) % in.Block
		buffered := min(rest, int64(in.Buffered()))
		_, _ = in.Discard(int(buffered))
		in.source.skip = rest - buffered
	}
	if in.shared {
		return
	}
	in.Reset(nil)
	readers.Put(in.Reader)
	in.Reader = nil
	if in.close != nil {
		in.close()
	}
}

// A source is what an Input reads: a reader, or a file from its beginning.
type source struct {
	in   io.Reader
	ctx  context.Context // of the script, as in Account
	file *workspace.File
	at   int64
	skip int64 // bytes that the next read passes
}

func (s *source) Read(b []byte) (n int, err error) {
	for s.skip > 0 && err == nil {
		n, err = s.read(b[:min(int64(len(b)), s.skip)])
		s.skip -= int64(n)
	}
	if err != nil {
		return 0, err
	}
	return s.read(b)
}

func (s *source) read(b []byte) (n int, err error) {
	if s.file == nil {
		n, err = s.in.Read(b)
	} else if err = s.ctx.Err(); err == nil {
		n, err = s.file.ReadAt(b, s.at)
	}
	s.at += int64(n)
	return n, err
}

// A Lines reads the lines of inputs. It is for one goroutine.
type Lines struct {
	Account *Account
	End     byte // that ends a line; normally '\n'
	long    []byte
}

// Next returns the next line without its end, and whether it had one. The text is valid until the
// next call. Any length is read, as far as the Account allows. The error is io.EOF if there are no
// more lines.
func (l *Lines) Next(in *Input) (text []byte, ended bool, err error) {
	l.Account.Tick()
	text, err = in.ReadSlice(l.End)
	if errors.Is(err, bufio.ErrBufferFull) {
		text, err = l.readLong(in, text)
	}
	switch {
	case err == nil:
		return text[:len(text)-1], true, nil
	case errors.Is(err, io.EOF) && len(text) > 0:
		return text, false, nil
	}
	return nil, false, err
}

// readLong reads the rest of a line that begins with text and is longer than the buffer.
func (l *Lines) readLong(in *Input, text []byte) (_ []byte, err error) {
	l.long = l.long[:0]
	for {
		l.long = Append(l.Account, l.long, text...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
		if n := len(l.long); n > 0 && l.long[n-1] == l.End {
			return l.long, nil
		}
		text, err = in.ReadSlice(l.End)
	}
}

// An Output is the standard output of a command. A write that nobody reads ends the command, as
// SIGPIPE does.
type Output struct {
	Broken   int  // the status with which it ends then
	IsBroken bool // it has ended so
	// Early sends each of the first lines at once, so that a reader that needs no more ends the command
	// before much else is done.
	Early  bool
	buffer []byte
	to     io.Writer
	reader Stopper // that reads it, or nil
	lines  int
}

// A Stopper is a writer that knows whether its reader has stopped.
type Stopper interface{ Stopped() bool }

// NewOutput returns an Output that writes to w. If w is a Stopper, a write ends the command as soon
// as the reader has stopped.
func NewOutput(w io.Writer) *Output {
	reader, _ := w.(Stopper)
	return &Output{
		Broken: brokenPipe, buffer: (*buffers.Get().(*[]byte))[:0], to: w, reader: reader,
	}
}

// Target returns where o writes.
func (o *Output) Target() io.Writer { return o.to }

// Close forgets what was not flushed.
func (o *Output) Close() {
	buffer := o.buffer
	buffers.Put(&buffer)
	o.buffer = nil
}

// Write implements io.Writer. It returns no error.
func (o *Output) Write(b []byte) (int, error) {
	free := o.room(len(b))
	if len(b) <= free {
		o.buffer = append(o.buffer, b...)
		o.sendEarly()
		return len(b), nil
	}
	o.buffer = append(o.buffer, b[:free]...)
	o.Flush()
	whole := (len(b) - free) / outputBuffer * outputBuffer
	o.check(o.write(b[free : free+whole]))
	o.buffer = append(o.buffer, b[free+whole:]...)
	return len(b), nil
}

// room returns the size of the free part of the buffer, before n bytes are written.
func (o *Output) room(n int) int {
	o.check(n == 0 || o.reader == nil || !o.reader.Stopped())
	return cap(o.buffer) - len(o.buffer)
}

// WriteString implements io.StringWriter. It returns no error.
func (o *Output) WriteString(s string) (int, error) {
	if len(s) > o.room(len(s)) {
		return o.Write([]byte(s))
	}
	o.buffer = append(o.buffer, s...)
	o.sendEarly()
	return len(s), nil
}

// WriteByte implements io.ByteWriter. It returns no error.
func (o *Output) WriteByte(b byte) error {
	if o.room(1) == 0 {
		o.Flush()
	}
	o.buffer = append(o.buffer, b)
	o.sendEarly()
	return nil
}

// sendEarly sends what is buffered if it ends in a line that is one of the first.
func (o *Output) sendEarly() {
	if o.Early && o.lines < earlyLines && bytes.HasSuffix(o.buffer, []byte{'\n'}) {
		o.lines++
		o.Flush()
	}
}

// Line writes a line.
func (o *Output) Line(b []byte) {
	o.Write(b)
	o.WriteByte('\n')
}

// check ends the command unless what it writes is read.
func (o *Output) check(isRead bool) {
	if !isRead {
		o.IsBroken = true
		panic(exit(o.Broken))
	}
}

// Flush writes what is buffered.
func (o *Output) Flush() { o.check(o.flushed()) }

func (o *Output) flushed() bool { return o.send(len(o.buffer)) }

// FlushBlocks writes what a program has written that only writes whole blocks before its end.
func (o *Output) FlushBlocks() { o.check(o.send(len(o.buffer) / outputBuffer * outputBuffer)) }

// send writes the first n bytes of the buffer.
func (o *Output) send(n int) bool {
	isRead := o.write(o.buffer[:n])
	o.buffer = o.buffer[:copy(o.buffer, o.buffer[n:])]
	return isRead
}

func (o *Output) write(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	_, err := o.to.Write(b)
	return err == nil
}
