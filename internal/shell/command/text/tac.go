package text

import (
	"bytes"
	"context"
	"io"
	"iter"

	"gander/internal/shell/command"
)

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
			for {
				b, err := in.Take()
				w.add(b)
				if err == io.EOF {
					return tac(c, bytes.NewReader(w.text()), int64(len(w.text())))
				}
				if err != nil {
					return err
				}
			}
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
			continue
		}
		line := &ticking{c.Account, io.NewSectionReader(r, start, length)}
		if _, err := io.Copy(c.Out, line); err != nil {
			return err
		}
	}
	return nil
}
