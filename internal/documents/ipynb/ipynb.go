// Package ipynb reads Jupyter notebooks.
package ipynb

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"gander/internal/documents"
)

// Format is the format of notebooks, since version 4.
var Format documents.Seeker = format{}

type format struct{}

// maxBeforeCells is how much of a notebook can precede its cells, such as the state of its widgets.
const maxBeforeCells = 16 << 20

// Recognize implements [documents.Format]. The name ends in ".ipynb", and the content is an object
// with the key "cells".
func (format) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	if !strings.EqualFold(path.Ext(src.Name), ".ipynb") {
		return false, nil
	}
	found := false
	d := newDecoder(ctx, io.NewSectionReader(src, 0, min(src.Size(), maxBeforeCells)))
	d.cells(func() {
		found = true
		d.fail(io.EOF) // the rest does not matter
	})
	if found {
		return true, nil
	}
	return false, d.err
}

// cells reads a notebook. The function reads its cells.
func (d *decoder) cells(f func()) {
	d.object(func(key string) {
		if key == "cells" {
			f()
		} else {
			d.skip()
		}
	})
}

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	t := &text{w: w, d: newDecoder(ctx, src)}
	number := 0
	t.d.cells(func() {
		t.d.array(func() {
			number++
			if number < w.First() {
				t.d.skip()
			} else {
				t.cell(number)
			}
		})
	})
	return t.d.err
}

// A text writes cells. The values of an object can come in any order, so it reads an object twice:
// first to find the values, then to write them.
type text struct {
	w       *documents.Writer
	d       *decoder
	escapes escapeFilter
}

// cell writes a cell.
func (t *text) cell(number int) {
	at := t.d.offsets("cell_type", "execution_count", "source", "outputs")
	end := t.d.at
	name := t.d.stringAt(at, "cell_type")
	if t.d.seekValue(at, "execution_count") {
		count := t.d.literal()
		if count != "" && count != "null" {
			name += " [" + count + "]"
		}
	}
	if t.d.err != nil {
		return
	}
	t.w.Mark(documents.Mark{Kind: documents.Cell, Number: number, Name: name})
	t.linesAt(at, "source", t.w.Verbatim, "")
	if t.d.seekTyped(at, "outputs", '[') {
		t.d.array(t.output)
	}
	t.d.seek(end)
	t.d.fail(t.w.Err())
}

// linesAt writes the value of a key, if there is one: text, or a list of texts with a separator.
func (t *text) linesAt(at offsets, key string, write func([]byte), separator string) {
	if t.d.seekValue(at, key) {
		t.lines(write, separator)
		t.w.End()
	}
}

// lines writes a text, or a list of texts with a separator. Other values are nothing.
func (t *text) lines(write func([]byte), separator string) {
	if t.d.peek() != '[' {
		t.string(write)
		return
	}
	t.d.array(func() {
		t.string(write)
		write([]byte(separator))
	})
}

// string writes a text. Any other value, such as a list in a list, is nothing.
func (t *text) string(write func([]byte)) {
	if t.d.peek() != '"' {
		t.d.skip()
		return
	}
	t.d.string(write)
	t.d.fail(t.w.Err())
}

// output writes an output of a cell.
func (t *text) output() {
	at := t.d.offsets("output_type", "name", "text", "data", "ename", "evalue", "traceback")
	end := t.d.at
	kind := t.d.stringAt(at, "output_type")
	section := "output"
	switch kind {
	case "stream":
		name := t.d.stringAt(at, "name")
		if name != "" && name != "stdout" {
			section += ": " + name
		}
	case "error":
		section += ": error"
	}
	if t.d.err != nil {
		return
	}
	t.w.Mark(documents.Mark{Kind: documents.Section, Name: section})
	t.escapes = escapeFilter{}
	switch kind {
	case "stream":
		t.linesAt(at, "text", t.plain, "")
	case "error":
		t.problem(at)
	default:
		t.data(at)
	}
	t.d.seek(end)
}

// plain writes text of an output without the sequences that control a terminal.
func (t *text) plain(b []byte) { t.w.Verbatim(t.escapes.remove(b)) }

// problem writes the traceback of an error, or its name and message.
func (t *text) problem(at offsets) {
	written := false
	t.linesAt(at, "traceback", func(b []byte) {
		written = true
		t.plain(b)
	}, "\n")
	if written {
		return
	}
	name, value := t.d.stringAt(at, "ename"), t.d.stringAt(at, "evalue")
	if t.d.err == nil {
		t.plain([]byte(name + ": " + value))
		t.w.End()
	}
}

// data writes the forms in which an output exists: its text, then the type and size of others.
func (t *text) data(at offsets) {
	if !t.d.seekTyped(at, "data", '{') {
		return
	}
	t.linesAt(t.d.offsets("text/plain"), "text/plain", t.plain, "")
	t.d.seek(at["data"])
	t.d.object(func(kind string) {
		if kind == "text/plain" {
			t.d.skip()
			return
		}
		size := t.size(kind)
		if t.d.err == nil {
			t.w.Line(fmt.Appendf(nil, "[%s, %d bytes]", kind, size))
			t.d.fail(t.w.Err())
		}
	})
}

// size returns the size of a value of a type. That of binary data is without its encoding.
func (t *text) size(kind string) int64 {
	c := t.d.peek()
	if c != '"' && c != '[' {
		from := t.d.at
		t.d.skip()
		return t.d.at - from
	}
	size, padded := int64(0), 0
	t.lines(func(b []byte) {
		size += int64(len(b) - bytes.Count(b, []byte{'\n'}))
		padded += bytes.Count(b, []byte{'='})
	}, "")
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") {
		return size
	}
	return size*3/4 - int64(min(padded, 2))
}

// The offsets of the values of an object, by their keys.
type offsets map[string]int64

// offsets reads an object, and returns the offsets of the values of some keys.
func (d *decoder) offsets(keys ...string) offsets {
	at := offsets{}
	d.object(func(key string) {
		if slices.Contains(keys, key) {
			at[key] = d.at
		}
		d.skip()
	})
	return at
}

// seekValue continues at the value of a key, and reports whether there is one.
func (d *decoder) seekValue(at offsets, key string) bool {
	offset, ok := at[key]
	if ok {
		d.seek(offset)
	}
	return ok && d.err == nil
}

// seekTyped is seekValue for a value of the type that begins with a byte. Others are nothing.
func (d *decoder) seekTyped(at offsets, key string, first byte) bool {
	return d.seekValue(at, key) && d.peek() == first
}

// stringAt returns the string that is the value of a key, or "".
func (d *decoder) stringAt(at offsets, key string) string {
	if d.seekTyped(at, key, '"') {
		return d.short()
	}
	return ""
}
