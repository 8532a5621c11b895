// Package ipynb reads Jupyter notebooks.
package ipynb

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gander/internal/documents"
)

// Format is the format of notebooks, from version 3 on.
var Format documents.Seeker = format{}

type format struct{}

// maxRecognized is how much of a notebook must be valid. Its cells must begin there.
const maxRecognized = 16 << 20

// Recognize implements [documents.Format]. The name ends in ".ipynb", and the content is an object
// with the key "cells" or "worksheets". What is not JSON, because a merge left the marks of a
// conflict for instance, is no notebook, but text.
func (format) Recognize(ctx context.Context, src *documents.Source) (bool, error) {
	if !strings.EqualFold(path.Ext(src.Name), ".ipynb") {
		return false, nil
	}
	found := false
	d := newDecoder(ctx, io.NewSectionReader(src, 0, min(src.Size(), maxRecognized)))
	d.cells(func() {
		found = true
		d.skip()
	})
	isCut := src.Size() > maxRecognized && d.at >= maxRecognized-maxLiteral
	return found && (d.err == nil || isCut), ctx.Err()
}

// cells reads a notebook. The function reads its cells. In version 3, they are in worksheets.
func (d *decoder) cells(f func()) {
	d.object(func(key string) {
		switch key {
		case "cells":
			f()
		case "worksheets":
			d.array(func() { d.cells(f) })
		default:
			d.skip()
		}
	})
}

// Seeks implements [documents.Seeker].
func (format) Seeks() {}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, out *documents.Writer) error {
	d := newDecoder(ctx, src)
	w := &writer{out: out, d: d}
	number := 0
	d.cells(func() {
		d.array(func() {
			number++
			if number < out.First() {
				d.skip()
			} else {
				w.cell(number)
			}
		})
	})
	return d.err
}

// A writer writes cells. The values of an object can come in any order, so it reads an object
// twice: first to find the values, then to write them.
type writer struct {
	out     *documents.Writer
	d       *decoder
	escapes escapeFilter
}

func (w *writer) cell(number int) {
	values := w.d.offsets("cell_type", "execution_count", "source", "outputs", "level",
		"prompt_number", "input") // the latter in version 3
	end := w.d.at
	name := w.d.stringAt(values, "cell_type")
	if w.d.seekValue(values, "execution_count") || w.d.seekValue(values, "prompt_number") {
		count := w.d.literal()
		if count != "" && count != "null" {
			name += " [" + count + "]"
		}
	}
	if w.d.err != nil {
		return
	}
	w.out.Mark(documents.Mark{Kind: documents.Cell, Number: number, Name: name})
	if name == "heading" && w.d.seekValue(values, "level") {
		level, _ := strconv.Atoi(w.d.literal())
		w.out.Verbatim([]byte(strings.Repeat("#", min(max(level, 1), 6)) + " "))
	}
	w.linesAt(values, "source", w.out.Verbatim, "")
	w.linesAt(values, "input", w.out.Verbatim, "")
	if w.d.seekTyped(values, "outputs", '[') {
		w.d.array(w.output)
	}
	w.d.seek(end)
	w.d.fail(w.out.Err())
}

// linesAt writes the value of a key, if there is one: text, or a list of texts with a separator.
func (w *writer) linesAt(values offsets, key string, write func([]byte), separator string) {
	if w.d.seekValue(values, key) {
		w.lines(write, separator)
		w.out.End()
	}
}

// lines writes a text, or a list of texts with a separator. Other values are nothing.
func (w *writer) lines(write func([]byte), separator string) {
	if w.d.peek() != '[' {
		w.string(write)
		return
	}
	w.d.array(func() {
		w.string(write)
		write([]byte(separator))
	})
}

// string writes a text. Any other value, such as a list in a list, is nothing.
func (w *writer) string(write func([]byte)) {
	if w.d.peek() != '"' {
		w.d.skip()
		return
	}
	w.d.string(write)
	w.d.fail(w.out.Err())
}

func (w *writer) output() {
	start := w.d.at
	values := w.d.offsets(
		"output_type", "name", "stream", "text", "data", "ename", "evalue", "traceback")
	end := w.d.at
	kind := w.d.stringAt(values, "output_type")
	section := "output"
	switch kind {
	case "stream":
		name := cmp.Or(w.d.stringAt(values, "name"), w.d.stringAt(values, "stream"))
		if name != "" && name != "stdout" {
			section += ": " + name
		}
	case "error", "pyerr":
		section += ": error"
	}
	if w.d.err != nil {
		return
	}
	w.out.Mark(documents.Mark{Kind: documents.Section, Name: section})
	w.escapes = escapeFilter{}
	switch kind {
	case "stream":
		w.linesAt(values, "text", w.plain, "")
	case "error", "pyerr":
		w.traceback(values)
	default:
		if w.d.seekTyped(values, "data", '{') {
			w.data(w.d.at)
		} else {
			w.data(start)
		}
	}
	w.d.seek(end)
}

// plain writes text of an output without the sequences that control a terminal.
func (w *writer) plain(b []byte) { w.out.Verbatim(w.escapes.remove(b)) }

// traceback writes the traceback of an error, or its name and message.
func (w *writer) traceback(values offsets) {
	written := false
	w.linesAt(values, "traceback", func(b []byte) {
		written = true
		w.plain(b)
	}, "\n")
	if written {
		return
	}
	name, value := w.d.stringAt(values, "ename"), w.d.stringAt(values, "evalue")
	if w.d.err == nil {
		w.plain([]byte(name + ": " + value))
		w.out.End()
	}
}

// size returns the size of a value of a type. That of binary data is without its encoding.
func (w *writer) size(kind string) int64 {
	c := w.d.peek()
	if c != '"' && c != '[' {
		from := w.d.at
		w.d.skip()
		return w.d.at - from
	}
	size, padded := int64(0), 0
	w.lines(func(b []byte) {
		size += int64(len(b) - bytes.Count(b, []byte{'\n'}))
		padded += bytes.Count(b, []byte{'='})
	}, "")
	if binary.MatchString(kind) {
		return size*3/4 - int64(min(padded, 2))
	}
	return size
}

// binary matches the types of data in base64.
var binary = regexp.MustCompile(`^(image/[^+]*|(audio|video)/.*|application/pdf)$`)

// The offsets of the values of an object, by their keys.
type offsets map[string]int64

// offsets reads an object, and returns the offsets of the values of some keys.
func (d *decoder) offsets(keys ...string) offsets {
	values := offsets{}
	d.object(func(key string) {
		if slices.Contains(keys, key) {
			values[key] = d.at
		}
		d.skip()
	})
	return values
}

// seekValue continues at the value of a key, and reports whether there is one.
func (d *decoder) seekValue(values offsets, key string) bool {
	at, ok := values[key]
	if ok {
		d.seek(at)
	}
	return ok && d.err == nil
}

// seekTyped is seekValue for a value of the type that begins with a byte. Others are nothing.
func (d *decoder) seekTyped(values offsets, key string, first byte) bool {
	return d.seekValue(values, key) && d.peek() == first
}

// stringAt returns the string that is the value of a key, or "".
func (d *decoder) stringAt(values offsets, key string) string {
	if d.seekTyped(values, key, '"') {
		return d.short()
	}
	return ""
}
