package text

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	quiet     bool
}

var failures = command.Failures{
	Open: "cannot open %q for reading: %s",
	Read: "error reading %q: %s",
}

func parsePart(a command.Arguments, isTail bool) (part, error) {
	p := part{unit: 'n', count: 10}
	for _, o := range a.Options {
		var err error
		switch o.Name {
		case "-n", "-c":
			err = p.setCount(a.Name, o.Name[1], o.Value, isTail)
		case "-NUM":
			err = p.setCount(a.Name, 'n', o.Value, isTail)
			if a.All[0] != "-"+o.Value || isTail && len(a.Operands) > 1 {
				err = command.Refuse("%s -%s: write -n %s", a.Name, o.Value, o.Value)
			}
		case "-q":
			p.quiet = true
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// setCount sets the count. It can have a sign.
func (p *part) setCount(name string, unit byte, text string, isTail bool) error {
	p.unit = unit
	digits := strings.TrimPrefix(text, "-")
	if isTail {
		p.fromStart = p.fromStart || strings.HasPrefix(text, "+")
	} else {
		p.allBut = digits != text
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 40)
	if err != nil {
		return command.Refuse("%s -%c %s: this number is not available here", name, unit, text)
	}
	p.count = int64(n)
	return nil
}

// run calls do for each file, below a title where there are several.
func (p *part) run(
	ctx context.Context, c *command.Call, files []string,
	do func(in *command.Input, name string) error,
) int {
	isFirst := true
	hasTitle := len(files) > 1 && !p.quiet
	return c.Each(ctx, files, failures, func(in *command.Input, name string) error {
		if hasTitle {
			if name == "-" {
				name = "standard input"
			}
			if !isFirst {
				c.Out.WriteByte('\n')
			}
			isFirst = false
			fmt.Fprintf(c.Out, "==> %s <==\n", name)
		}
		return do(in, name)
	})
}

func prepareHead(a command.Arguments) (command.Run, error) {
	p, err := parsePart(a, false)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, c *command.Call) int {
		return p.run(ctx, c, a.Operands, func(in *command.Input, _ string) error {
			return p.head(c, in)
		})
	}, nil
}

func (p *part) head(c *command.Call, in *command.Input) error {
	switch {
	case p.allBut:
		w := window{account: c.Account, out: c.Out}
		defer w.free()
		return w.fill(in, p)
	case p.unit == 'n':
		return copyLines(c, in, p.count)
	}
	return copyBytes(c, in, p.count)
}

func copyLines(c *command.Call, in *command.Input, n int64) error {
	for n > 0 {
		c.Account.Tick()
		text, err := in.ReadSlice('\n')
		c.Out.Write(text)
		switch {
		case err == nil:
			n--
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
	return nil
}

func copyBytes(c *command.Call, in *command.Input, n int64) error {
	_, err := io.CopyN(c.Out, in, n)
	return err
}

func prepareTail(a command.Arguments) (command.Run, error) {
	p, err := parsePart(a, true)
	isOld := len(a.All) > 0 && len(a.All[0]) > 1 && a.All[0][0] == '+'
	switch {
	case err != nil:
		return nil, err
	case isOld:
		return nil, command.Refuse("tail %s: write -n %s", a.All[0], a.All[0])
	}
	return func(ctx context.Context, c *command.Call) int {
		if p.count == 0 && !p.fromStart {
			return 0
		}
		return p.run(ctx, c, a.Operands, func(in *command.Input, name string) error {
			return p.tail(c, in, name)
		})
	}, nil
}

func (p *part) tail(c *command.Call, in *command.Input, name string) error {
	if p.fromStart {
		var err error
		if p.unit == 'n' {
			err = in.Skip(c.Account, p.count-1, '\n')
		} else {
			_, err = io.CopyN(io.Discard, in, p.count-1)
		}
		if err != nil {
			return err
		}
		return copyBytes(c, in, math.MaxInt64)
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
func (p *part) tailFile(c *command.Call, in *command.Input) error {
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
	_, err := io.Copy(c.Out, &ticking{c.Account, io.NewSectionReader(in.File, from, size-from)})
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
func (w *window) fill(in *command.Input, p *part) error {
	if p.unit == 'c' {
		for {
			w.account.Tick()
			b, err := in.Take()
			if err != nil {
				return err
			}
			w.add(b)
			w.leave(int(max(0, int64(len(w.text()))-p.count)))
		}
	}
	for n := int64(0); ; {
		w.account.Tick()
		b, err := in.ReadSlice('\n')
		w.add(b)
		isPart := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && (!isPart && len(b) == 0) {
			return err
		}
		if !isPart {
			n++
		}
		if n > p.count {
			w.leaveLine()
			n--
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

// leaveLine removes the first line.
func (w *window) leaveLine() {
	n := bytes.IndexByte(w.text(), '\n') + 1
	if n == 0 {
		n = len(w.text())
	}
	w.leave(n)
}

// leave removes the first n bytes.
func (w *window) leave(n int) {
	if w.out != nil {
		w.out.Write(w.text()[:n])
	}
	w.start += n
}
