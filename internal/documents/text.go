package documents

import (
	"context"
	"errors"
	"io"
	"iter"
)

// keptText is how much text a Text keeps before the offset that was read last.
const keptText = 512 << 10

// A Text is the text of a document as a file: its lines, each followed by a line feed. It reads the
// document as far as it must, and keeps a part of the text in memory. A read before that part reads
// the document again, from the start or from a mark, and finds the same text. If the document
// cannot be read to its end, the last line says so.
//
// A Text is not safe for concurrent use. It must be closed.
type Text struct {
	ctx     context.Context // for all reads, which implement io.ReaderAt
	doc     *Document
	limits  Limits
	outline *Outline

	cancel func()
	next   func() (Line, error, bool)
	stop   func()
	buffer []byte // the text from base on, as far as it was read
	base   int64
	line   int // number of lines before the end of buffer
	ended  bool
	err    error
}

// Text returns the text of the document. It fills the outline, which must belong to the same file,
// and be filled by texts with the same limits of bytes.
func (d *Document) Text(ctx context.Context, limits Limits, outline *Outline) *Text {
	t := &Text{doc: d, limits: limits, outline: outline, stop: func() {}}
	t.ctx, t.cancel = d.src.withClock(ctx, limits.Time)
	t.buffer = outline.all()
	t.ended = t.buffer != nil
	if !t.ended {
		t.restart(0)
	}
	return t
}

// Close ends the reading of the document, and closes it.
func (t *Text) Close() {
	t.stop()
	t.cancel()
	t.doc.Close()
}

// ReadAt implements [io.ReaderAt]. An error is an *Error if the document has no text that can be
// read, or an error of the context or the file.
func (t *Text) ReadAt(b []byte, offset int64) (int, error) {
	t.doc.src.clock.start()
	defer t.doc.src.clock.stop()
	if offset < t.base || t.canSkip(offset) {
		t.restart(offset)
	}
	for t.bufferEnd() < offset+int64(len(b)) && !t.ended {
		_, err := t.advance()
		if err != nil {
			return t.copy(b, offset), err
		}
		t.forget(offset)
	}
	n := t.copy(b, offset)
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// copy copies text from an offset on, which is not before the buffer.
func (t *Text) copy(b []byte, offset int64) int {
	return copy(b, t.buffer[min(offset, t.bufferEnd())-t.base:])
}

// maxExtracted is how much text a reader waits for.
const maxExtracted = 4 << 10

// A textReader reads a Text in order.
type textReader struct {
	text *Text
	at   int64
}

// Reader returns a reader of the text from an offset on. A read waits for at most maxExtracted
// bytes of text, whatever the size of the buffer.
func (t *Text) Reader(offset int64) io.Reader { return &textReader{t, offset} }

// Read implements [io.Reader].
func (r *textReader) Read(b []byte) (int, error) {
	n, err := r.text.ReadAt(b[:min(len(b), maxExtracted)], r.at)
	r.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// Find returns the place of the first mark that is wanted, which is not a section. It reads the
// document as far as it must.
func (t *Text) Find(wanted func(Mark) bool) (p Place, found bool, err error) {
	t.doc.src.clock.start()
	defer t.doc.src.clock.stop()
	isWhole := t.outline.Whole() // before another text adds the last marks
	p, found, next := t.outline.find(wanted)
	if found || isWhole {
		return p, found, nil
	}
	if t.bufferEnd() > next || t.canSkip(next) {
		t.restart(next)
	}
	for !t.ended {
		p, err := t.advance()
		if err != nil {
			return Place{}, false, err
		}
		if p.counted() && wanted(p.Mark) {
			return p, true, nil
		}
		t.forget(t.bufferEnd())
	}
	return Place{}, false, nil
}

// canSkip reports whether a restart brings the reading closer to an offset after the buffer.
func (t *Text) canSkip(offset int64) bool { return t.startBefore(offset).offset > t.bufferEnd() }

// startBefore returns the last place up to an offset from which the document can be read. It is
// zero for the start of the document.
func (t *Text) startBefore(offset int64) Place {
	place := t.outline.before(offset)
	if place.Number <= 1 { // lines can precede the first mark
		return Place{}
	}
	return place
}

// bufferEnd returns the offset of the end of the buffer.
func (t *Text) bufferEnd() int64 { return t.base + int64(len(t.buffer)) }

// restart starts to read at the last mark up to an offset, or at the start of the document.
func (t *Text) restart(offset int64) {
	t.stop()
	place := t.startBefore(offset)
	t.buffer, t.base, t.line = nil, place.offset, max(place.Line-1, 0)
	t.ended, t.err = false, nil
	t.next, t.stop = iter.Pull2(t.doc.linesFrom(t.ctx, t.limits, place))
}

// advance reads one line into the buffer, unless the text ends. It returns the line's place.
func (t *Text) advance() (p Place, err error) {
	if t.err != nil {
		return Place{}, t.err
	}
	line, err, ok := t.next()
	failure, failed := errors.AsType[*Error](err)
	switch {
	case !ok:
		t.finish()
	case failed && t.line > 0:
		p = t.add(Line{Text: []byte("(the rest cannot be read: the document " + failure.text + ")")})
		t.finish()
	case err != nil:
		if cause := context.Cause(t.ctx); cause == context.DeadlineExceeded {
			err = cause
		}
		t.err = err
		return Place{}, err
	default:
		p = t.add(line)
	}
	return p, nil
}

// add adds a line to the buffer, and returns its place.
func (t *Text) add(line Line) Place {
	p := Place{
		Mark: line.Mark, Line: t.line + 1, offset: t.bufferEnd(), inflated: t.doc.src.inflation.used,
	}
	t.buffer = append(append(t.buffer, line.Text...), '\n')
	t.line++
	t.outline.record(p, t.bufferEnd())
	return p
}

// finish records that the text has ended.
func (t *Text) finish() {
	t.ended = true
	var all []byte
	if t.base == 0 && len(t.buffer) <= maxCached {
		all = t.buffer
	}
	t.outline.recordEnd(t.bufferEnd(), all)
}

// forget drops text from the buffer that is far before an offset.
func (t *Text) forget(offset int64) {
	if len(t.buffer) <= maxCached {
		return
	}
	dropped := min(offset, t.bufferEnd()) - keptText - t.base
	if dropped < keptText {
		return
	}
	t.buffer = append(t.buffer[:0], t.buffer[dropped:]...)
	t.base += dropped
}
