// Package ipynb reads Jupyter notebooks.
package ipynb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"gander/internal/documents"
)

// Format is the format of notebooks, since version 4.
var Format documents.Seeker = format{}

type format struct{}

// Name implements [documents.Format].
func (format) Name() string { return "notebook" }

// maxBeforeCells is how much of a notebook can precede its cells, such as the state of its widgets.
const maxBeforeCells = 16 << 20

var errFound = errors.New("found")

// Recognize implements [documents.Format]. The name ends in ".ipynb", and the content is an object
// with the key "cells".
func (format) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	if !strings.EqualFold(path.Ext(src.Name), ".ipynb") {
		return false, nil
	}
	file := io.NewSectionReader(src, 0, min(src.Size(), maxBeforeCells))
	err := newDecoder(ctx, file).cells(func() error { return errFound })
	if err == errFound {
		return true, nil
	}
	return false, err
}

// cells reads a notebook. The function reads its cells.
func (d *decoder) cells(f func() error) error {
	return d.object(func(key string) error {
		if key == "cells" {
			return f()
		}
		return d.skip()
	})
}

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	t := &text{w: w, d: newDecoder(ctx, src)}
	return t.d.cells(func() error {
		number := 0
		return t.d.array(func() error {
			number++
			if number < w.First() {
				return t.d.skip()
			}
			return t.cell(number)
		})
	})
}

// A text writes cells. The values of an object can come in any order, so it reads an object twice:
// first to find the values, then to write them.
type text struct {
	w       *documents.Writer
	d       *decoder
	escapes escapes
}

// cell writes a cell.
func (t *text) cell(number int) error {
	at, err := t.d.offsets("cell_type", "execution_count", "source", "outputs")
	if err != nil {
		return err
	}
	end := t.d.at
	name, err := t.stringAt(at, "cell_type")
	if err != nil {
		return err
	}
	if from, ok := at["execution_count"]; ok {
		t.d.seek(from)
		count, err := t.d.literal()
		if err != nil {
			return err
		}
		if count != "" && count != "null" {
			name += " [" + count + "]"
		}
	}
	t.w.Mark(documents.Mark{Kind: documents.Cell, Number: number, Name: name})
	err = t.linesAt(at, "source", t.w.Verbatim, "")
	if err != nil {
		return err
	}
	if from, ok := at["outputs"]; ok {
		t.d.seek(from)
		err := t.d.array(t.output)
		if err != nil {
			return err
		}
	}
	t.d.seek(end)
	return t.w.Err()
}

// stringAt returns the string that is the value of a key, or "".
func (t *text) stringAt(at map[string]int64, key string) (string, error) {
	from, ok := at[key]
	if !ok {
		return "", nil
	}
	t.d.seek(from)
	c, err := t.d.peek()
	if err != nil || c != '"' {
		return "", err
	}
	return t.d.short()
}

// linesAt writes the value of a key, if there is one: text, or a list of texts with a separator.
func (t *text) linesAt(
	at map[string]int64, key string, write func([]byte), separator string,
) error {
	from, ok := at[key]
	if !ok {
		return nil
	}
	t.d.seek(from)
	err := t.lines(write, separator)
	t.w.End()
	return err
}

// lines writes a text, or a list of texts with a separator. Other values are nothing.
func (t *text) lines(write func([]byte), separator string) error {
	c, err := t.d.peek()
	if err != nil {
		return err
	}
	switch c {
	case '"':
		err := t.d.string(write)
		if err == nil {
			err = t.w.Err()
		}
		return err
	case '[':
		return t.d.array(func() error {
			err := t.lines(write, "")
			write([]byte(separator))
			return err
		})
	}
	return t.d.skip()
}

// output writes an output of a cell.
func (t *text) output() error {
	at, err := t.d.offsets(
		"output_type", "name", "text", "data", "ename", "evalue", "traceback")
	if err != nil {
		return err
	}
	end := t.d.at
	kind, err := t.stringAt(at, "output_type")
	if err != nil {
		return err
	}
	section := "output"
	switch kind {
	case "stream":
		name, err := t.stringAt(at, "name")
		if err != nil {
			return err
		}
		if name != "" && name != "stdout" {
			section += ": " + name
		}
	case "error":
		section += ": error"
	}
	t.w.Mark(documents.Mark{Kind: documents.Section, Name: section})
	t.escapes = escapes{}
	switch kind {
	case "stream":
		err = t.linesAt(at, "text", t.plain, "")
	case "error":
		err = t.problem(at)
	default:
		err = t.data(at)
	}
	t.d.seek(end)
	return err
}

// plain writes text of an output without the sequences that control a terminal.
func (t *text) plain(b []byte) { t.w.Verbatim(t.escapes.remove(b)) }

// problem writes the traceback of an error, or its name and message.
func (t *text) problem(at map[string]int64) error {
	written := false
	err := t.linesAt(at, "traceback", func(b []byte) {
		written = true
		t.plain(b)
	}, "\n")
	if err != nil || written {
		return err
	}
	name, err := t.stringAt(at, "ename")
	if err != nil {
		return err
	}
	value, err := t.stringAt(at, "evalue")
	t.plain([]byte(name + ": " + value))
	t.w.End()
	return err
}

// data writes the forms in which an output exists: its text, then the type and size of others.
func (t *text) data(at map[string]int64) error {
	from, ok := at["data"]
	if !ok {
		return nil
	}
	t.d.seek(from)
	text, err := t.d.offsets("text/plain")
	if err != nil {
		return err
	}
	err = t.linesAt(text, "text/plain", t.plain, "")
	if err != nil {
		return err
	}
	t.d.seek(from)
	return t.d.object(func(kind string) error {
		if kind == "text/plain" {
			return t.d.skip()
		}
		size, err := t.size(kind)
		if err != nil {
			return err
		}
		t.w.Line(fmt.Appendf(nil, "[%s, %d bytes]", kind, size))
		return t.w.Err()
	})
}

// size returns the size of a value of a type. That of binary data is without its encoding.
func (t *text) size(kind string) (int64, error) {
	c, err := t.d.peek()
	if err != nil {
		return 0, err
	}
	if c != '"' && c != '[' {
		from := t.d.at
		err := t.d.skip()
		return t.d.at - from, err
	}
	size := int64(0)
	padded := 0
	err = t.lines(func(b []byte) {
		size += int64(len(b)) - int64(strings.Count(string(b), "\n"))
		padded += strings.Count(string(b), "=")
	}, "")
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") {
		return size, err
	}
	return size*3/4 - int64(min(padded, 2)), err
}
