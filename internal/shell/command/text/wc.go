package text

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// The columns of wc, in the order in which it prints them.
const (
	countLines = iota
	countWords
	countChars
	countBytes
	columns
)

type counts [columns]int64

// A counter prints what wc counts.
type counter struct {
	shown []int // columns
	width int
	total counts
}

func prepareWc(a command.Arguments) (command.Run, error) {
	var k counter
	for i, name := range []string{"-l", "-w", "-m", "-c"} {
		if a.Has(name) {
			k.shown = append(k.shown, i)
		}
	}
	if len(k.shown) == 0 {
		k.shown = []int{countLines, countWords, countBytes}
	}
	return func(ctx context.Context, c *command.Call) int {
		k.width = k.columnWidth(ctx, c, a.OperandsOr("-"))
		failed := 0
		status := c.Each(ctx, a.Operands, command.Failures{}, func(in *command.Input, name string) error {
			n, err := k.count(c, in, name)
			if err != io.EOF {
				c.Failed("", name, err)
				failed = 1
			}
			if len(a.Operands) == 0 {
				name = ""
			}
			k.print(c.Out, n, name)
			return nil
		})
		if len(a.Operands) > 1 {
			k.print(c.Out, k.total, "total")
		}
		return max(status, failed)
	}, nil
}

// columnWidth returns the width of the columns: that of the size of all files together.
func (k *counter) columnWidth(ctx context.Context, c *command.Call, names []string) int {
	if len(names) == 1 && len(k.shown) == 1 {
		return 1
	}
	least, size := 1, int64(0)
	for _, name := range names {
		info, err := c.Files.Stat(ctx, name)
		if name == "-" {
			info, err = workspace.Info{Kind: workspace.Other}, nil
			if c.In.File != nil {
				info = workspace.Info{Kind: workspace.Regular, Size: c.In.File.Size()}
			}
		}
		switch {
		case err != nil:
		case info.Kind == workspace.Regular:
			size += info.Size
		default:
			least = 7
		}
	}
	return max(least, len(strconv.FormatInt(size, 10)))
}

func (k *counter) print(out *command.Output, n counts, name string) {
	space := ""
	for _, column := range k.shown {
		fmt.Fprintf(out, "%s%*d", space, k.width, n[column])
		space = " "
		k.total[column] += n[column]
	}
	if name != "" {
		out.WriteString(" " + name)
	}
	out.WriteByte('\n')
}

func (k *counter) count(c *command.Call, in *command.Input, name string) (n counts, err error) {
	onlyBytes := len(k.shown) == 1 && k.shown[0] == countBytes
	if onlyBytes && in.File != nil && name != "-" && in.File.Size() > 0 {
		n[countBytes] = in.File.Size()
		return n, io.EOF
	}
	hasText := slices.Contains(k.shown, countWords) || slices.Contains(k.shown, countChars)
	t := textCounter{counts: &n}
	for {
		c.Account.Tick()
		b, err := in.Take()
		n[countBytes] += int64(len(b))
		n[countLines] += int64(bytes.Count(b, []byte{'\n'}))
		if hasText {
			t.add(b)
		}
		if err != nil {
			return n, err
		}
	}
}

// A textCounter counts characters and words.
type textCounter struct {
	counts *counts
	inWord bool
	rest   []byte // an incomplete character
}

func (t *textCounter) add(b []byte) {
	if len(t.rest) > 0 {
		b = append(t.rest, b...)
		t.rest = nil
	}
	for len(b) > 0 {
		if !utf8.FullRune(b) {
			t.rest = bytes.Clone(b)
			return
		}
		r, size := rune(b[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b)
		}
		b = b[size:]
		if isInvalid := r == utf8.RuneError && size == 1; !isInvalid {
			t.counts[countChars]++
			t.char(r)
		}
	}
}

func (t *textCounter) char(r rune) {
	isPlain := r > ' ' && r < 0x7f
	switch {
	case r == ' ', r >= '\t' && r <= '\r':
		t.inWord = false
	case !isPlain && !isPrint(r):
	case !isPlain && (unicode.IsSpace(r) || r == 0x2060): // which forbids a line break
		t.inWord = false
	default:
		if !t.inWord {
			t.counts[countWords]++
		}
		t.inWord = true
	}
}

// isPrint reports whether the C library prints a character.
func isPrint(r rune) bool {
	return r >= ' ' && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs,
		unicode.Cf, unicode.Co)
}
