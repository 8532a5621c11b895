// Package ipynb reads Jupyter notebooks.
package ipynb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"strconv"
	"strings"

	"gander/internal/documents"
)

// Format is the format of notebooks, from version 3 on.
var Format documents.Format = format{}

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
	r := newReader(ctx, src, maxRecognized)
	err := r.cells(func() error { return r.value(new(skipped)) })
	isCut := src.Size() > maxRecognized && err == errEarly
	isNotebook := err == nil || isCut || errors.Is(err, errLarge) // which Write says
	return r.found && isNotebook, ctx.Err()
}

// Write implements [documents.Format].
func (format) Write(ctx context.Context, src *documents.Source, out *documents.Writer) error {
	r := newReader(ctx, src, src.Size())
	w := &writer{out: out}
	number := 0
	return r.cells(func() error {
		number++
		if number < out.First() {
			return r.value(new(skipped))
		}
		var c cell
		if err := r.value(&c); err != nil {
			return err
		}
		w.cell(number, c)
		return out.Err()
	})
}

// A cell is a cell of a notebook.
type cell struct {
	Type    string          `json:"cell_type"`
	Count   json.RawMessage `json:"execution_count"`
	Source  text            `json:"source"`
	Outputs outputs         `json:"outputs"`

	// In version 3:
	Prompt json.RawMessage `json:"prompt_number"`
	Input  text            `json:"input"`
	Level  int             `json:"level"` // of a heading
}

// outputs are the outputs of a cell. Anything but a list is nothing.
type outputs []output

// UnmarshalJSON implements [json.Unmarshaler].
func (o *outputs) UnmarshalJSON(b []byte) error {
	_ = json.Unmarshal(b, (*[]output)(o))
	return nil
}

// An output is an output of a cell: text, an error, or data in several forms.
type output struct {
	Type      string   `json:"output_type"`
	Name      string   `json:"name"`
	Stream    string   `json:"stream"` // the name in version 3
	Text      text     `json:"text"`
	ErrorName string   `json:"ename"`
	Error     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
	Data      forms    `json:"data"`
}

// UnmarshalJSON implements [json.Unmarshaler]. Values of other types are nothing. In version 3, the
// data is among the other values.
func (o *output) UnmarshalJSON(b []byte) error {
	type plain output
	_ = json.Unmarshal(b, (*plain)(o))
	if o.Data == nil && o.Type != "stream" {
		_ = json.Unmarshal(b, &o.Data)
	}
	return nil
}

// A writer writes cells.
type writer struct{ out *documents.Writer }

func (w *writer) cell(number int, c cell) {
	name := c.Type
	if count := cmp.Or(string(c.Count), string(c.Prompt)); isNumber(count) {
		name += " [" + count + "]"
	}
	w.out.Mark(documents.Mark{Kind: documents.Cell, Number: number, Name: name})
	if c.Type == "heading" && c.Level != 0 {
		w.out.Verbatim([]byte(strings.Repeat("#", min(max(c.Level, 1), 6)) + " "))
	}
	for _, source := range []text{c.Source, c.Input} {
		w.out.Verbatim([]byte(source))
		w.out.End()
	}
	for _, o := range c.Outputs {
		w.output(o)
	}
}

// isNumber reports whether a value is a number.
func isNumber(value string) bool {
	_, err := strconv.ParseFloat(value, 64)
	return err == nil
}

func (w *writer) output(o output) {
	section := "output"
	name := cmp.Or(o.Name, o.Stream)
	isError := o.Type == "error" || o.Type == "pyerr"
	switch {
	case isError:
		section += ": error"
	case o.Type == "stream" && name != "" && name != "stdout":
		section += ": " + name
	}
	w.out.Mark(documents.Mark{Kind: documents.Section, Name: section})
	switch {
	case o.Type == "stream":
		w.plain(string(o.Text))
	case isError && len(o.Traceback) > 0:
		w.plain(strings.Join(o.Traceback, "\n"))
	case isError:
		w.plain(o.ErrorName + ": " + o.Error)
	default:
		w.data(o.Data)
	}
}

// controls matches the sequences that control a terminal.
var controls = regexp.MustCompile(
	"\x1b(\\[[ -?\x7f]*[@-~]?|[\\]PX^_][^\x07\x1b\n]*(\x07|\x1b\\\\)?|[ -/]*[0-~]?)")

// plain writes text of an output without the sequences that control a terminal.
func (w *writer) plain(s string) {
	w.out.Verbatim([]byte(controls.ReplaceAllString(s, "")))
	w.out.End()
}
