package text

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// A part is what head and tail print of each file.
type part struct {
	unit      byte // 'n' for lines, 'c' for bytes
	count     int64
	fromStart bool // for tail: from the line or byte number count
	allBut    bool // for head: all but the last ones
}

func parsePart(a command.Arguments, isTail bool) (part, error) {
	p := part{unit: 'n', count: 10}
	for _, o := range a.Options {
		if o.Name == "-q" {
			continue
		}
		p.unit = 'n'
		if o.Name == "-c" {
			p.unit = 'c'
		}
		digits := strings.TrimPrefix(o.Value, "-")
		p.fromStart = isTail && (p.fromStart || strings.HasPrefix(o.Value, "+"))
		p.allBut = !isTail && digits != o.Value
		n, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 40)
		isMisplaced := a.All[0] != "-"+o.Value || isTail && len(a.Operands) > 1
		switch {
		case o.Name == "-NUM" && isMisplaced:
			return p, command.Refuse("%s -%s: write -n %s", a.Name, o.Value, o.Value)
		case err != nil:
			return p, command.Refuse("%s -%c %s: this number is not available here", a.Name, p.unit, o.Value)
		}
		p.count = int64(n)
	}
	return p, nil
}

// eachPart returns a Run that calls do for each file, below a title where there are several.
func eachPart(
	a command.Arguments, do func(c *command.Call, in *command.Input, name string) error,
) command.Run {
	failures := command.Failures{Open: "cannot open %q for reading: %s", Read: "error reading %q: %s"}
	return func(ctx context.Context, c *command.Call) int {
		between := ""
		return c.Each(ctx, a.Operands, failures, func(in *command.Input, name string) error {
			if len(a.Operands) > 1 && !a.Has("-q") {
				title := name
				if name == "-" {
					title = "standard input"
				}
				fmt.Fprintf(c.Out, "%s==> %s <==\n", between, title)
				between = "\n"
			}
			return do(c, in, name)
		})
	}
}

// headBlock is the size of the blocks in which head reads lines.
const headBlock = 8 << 10

// smallFile is the size of the largest file that head does not read backwards.
const smallFile = 4 << 10

func prepareHead(a command.Arguments) (command.Run, error) {
	p, err := parsePart(a, false)
	return eachPart(a, func(c *command.Call, in *command.Input, _ string) error {
		switch {
		case p.allBut:
			w := window{account: c.Account, out: c.Out}
			defer w.free()
			start := in.At()
			err := w.fill(in, p)
			if in.File == nil {
				return err
			}
			next := in.At() - int64(len(w.text()))
			if p.unit == 'n' && next == start && in.File.Size() > smallFile {
				next = min(in.At(), start+headBlock) // blocks are read backwards, the first as the last
			}
			in.Continue(next)
			return err
		case p.unit == 'n':
			if in.File == nil { // otherwise it seeks back
				in.Block = headBlock
			}
			return in.CopyLines(c.Account, c.Out, p.count, '\n')
		}
		_, err := io.CopyN(c.Out, in, p.count)
		return err
	}), err
}

func prepareTail(a command.Arguments) (command.Run, error) {
	p, err := parsePart(a, true)
	isOld := len(a.All) > 0 && len(a.All[0]) > 1 && a.All[0][0] == '+'
	switch {
	case err != nil:
		return nil, err
	case isOld:
		return nil, command.Refuse("tail %s: write -n %s", a.All[0], a.All[0])
	case p.count == 0 && !p.fromStart:
		return func(context.Context, *command.Call) int { return 0 }, nil
	}
	return eachPart(a, p.tail), nil
}

func (p part) tail(c *command.Call, in *command.Input, name string) error {
	if p.fromStart {
		var err error
		if p.unit == 'n' {
			err = in.CopyLines(c.Account, io.Discard, p.count-1, '\n')
		} else {
			_, err = io.CopyN(io.Discard, in, p.count-1)
		}
		if err == nil {
			_, err = in.WriteTo(c.Out)
		}
		return err
	}
	if in.File != nil && name != "-" && in.File.Size() > 0 {
		return p.tailFile(c, in)
	}
	w := window{account: c.Account}
	defer w.free()
	err := w.fill(in, p)
	c.Out.Write(w.text())
	return err
}

// tailFile looks for the start of the last part backwards.
func (p part) tailFile(c *command.Call, in *command.Input) error {
	size := in.File.Size()
	from := max(0, size-p.count)
	if p.unit == 'n' {
		from = size
		left := p.count
		for start := range backward(c.Account, in.File, size) {
			if left == 0 {
				break
			}
			from = start
			left--
		}
	}
	return copySection(c, in.File, from, size-from)
}

// copySection prints n bytes of r from an offset on.
func copySection(c *command.Call, r io.ReaderAt, from, n int64) error {
	_, err := io.Copy(c.Out, &ticking{c.Account, io.NewSectionReader(r, from, n)})
	return err
}

// A ticking reader ends the script if its call has ended.
type ticking struct {
	account *command.Account
	io.Reader
}

func (t *ticking) Read(b []byte) (int, error) {
	t.account.Check()
	return t.Reader.Read(b)
}

// A window keeps the last lines or bytes of an input.
type window struct {
	account *command.Account
	out     *command.Output // gets what leaves the window, unless it is nil
	buf     []byte
	start   int // of the text in buf
}

func (w *window) text() []byte { return w.buf[w.start:] }

func (w *window) free() { w.account.Drop(cap(w.buf)) }

// fill reads all of in and keeps the last part.
func (w *window) fill(in *command.Input, p part) error {
	lines := int64(0) // in the window
	for {
		w.account.Tick()
		b, err := in.Take()
		if err != nil {
			return err
		}
		if w.add(b); p.unit == 'c' {
			w.leave(int(max(0, int64(len(w.text()))-p.count)))
			continue
		}
		lines += int64(bytes.Count(b, []byte{'\n'}))
		for lines > p.count || lines == p.count && b[len(b)-1] != '\n' {
			w.account.Tick()
			n := bytes.IndexByte(w.text(), '\n') + 1
			if n == 0 {
				w.leave(len(w.text()))
				break
			}
			w.leave(n)
			lines--
		}
	}
}

// add appends to the window. It moves the text only when that frees half of the memory.
func (w *window) add(b []byte) {
	text := w.text()
	if len(w.buf)+len(b) <= cap(w.buf) {
		w.buf = append(w.buf, b...)
		return
	}
	to := w.buf[:0]
	if need := len(text) + len(b); need > cap(w.buf)/2 {
		w.account.Grab(2 * need)
		w.account.Drop(cap(w.buf))
		to = make([]byte, 0, 2*need)
	}
	w.buf = append(append(to, text...), b...)
	w.start = 0
}

// leave removes the first n bytes.
func (w *window) leave(n int) {
	if w.out != nil {
		w.out.Write(w.text()[:n])
	}
	w.start += n
}

// backwardBlock is the number of bytes that are read at a time.
const backwardBlock = 64 << 10

// backward yields where each line of r begins, the last line first, and the bytes from there on as
// far as the block has them. The error of reading ends it.
func backward(a *command.Account, r io.ReaderAt, size int64) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		a.Grab(backwardBlock)
		defer a.Drop(backwardBlock)
		buf := make([]byte, backwardBlock)
		// A line begins behind each end but that of the file.
		for high := size; high > 0; {
			a.Check()
			low := max(0, high-backwardBlock)
			n, _ := r.ReadAt(buf[:high-low], low)
			block := buf[:n]
			before := block
			if high == size {
				before = block[:max(0, n-1)]
			}
			for {
				i := bytes.LastIndexByte(before, '\n')
				if i < 0 {
					break
				}
				if !yield(low+int64(i)+1, block[i+1:]) {
					return
				}
				before = block[:i]
			}
			high = low
		}
		if size > 0 {
			yield(0, nil)
		}
	}
}

func prepareTac(a command.Arguments) (command.Run, error) {
	failures := command.Failures{
		Open: "failed to open %q for reading: %s", Read: "%s: read error: %s", Early: true,
	}
	return func(ctx context.Context, c *command.Call) int {
		return c.Each(ctx, a.Operands, failures, func(in *command.Input, name string) error {
			if in.File != nil && name != "-" && in.File.Size() > 0 {
				return tac(c, in.File, in.File.Size())
			}
			w := window{account: c.Account}
			defer w.free()
			err := w.fill(in, part{unit: 'c', count: math.MaxInt64})
			if err != io.EOF {
				return err
			}
			return tac(c, bytes.NewReader(w.text()), int64(len(w.text())))
		})
	}, nil
}

func tac(c *command.Call, r io.ReaderAt, size int64) error {
	last := size // the end of the next line
	for start, text := range backward(c.Account, r, size) {
		length := last - start
		last = start
		if length <= int64(len(text)) {
			c.Out.Write(text[:length])
		} else if err := copySection(c, r, start, length); err != nil {
			return err
		}
	}
	return nil
}
