package ipynb

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"gander/internal/documents"
)

// maxValue is the maximum size of a cell, or of a value beside the cells.
const maxValue = 6 << 20

var (
	errLarge = documents.TooLargef("a cell of more than %d MiB", maxValue>>20)
	errEarly = documents.Invalidf("it ends early")
)

// A reader reads a notebook value by value, so that its memory depends on the largest cell.
type reader struct {
	*json.Decoder
	ctx   context.Context // for the reads, which implement io.Reader
	src   *documents.Source
	file  io.Reader
	found bool  // the notebook has a list of cells
	size  int64 // bytes that were read for the current value
	held  int64 // bytes of memory that are reserved
}

// newReader returns a reader of at most limit bytes.
func newReader(ctx context.Context, src *documents.Source, limit int64) *reader {
	r := &reader{ctx: ctx, src: src, file: io.NewSectionReader(src, 0, min(src.Size(), limit))}
	r.Decoder = json.NewDecoder(valueReader{r})
	return r
}

// A valueReader reads the file for the decoder. It reserves memory for a large value.
type valueReader struct{ *reader }

// Read implements [io.Reader].
func (r valueReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.size > maxValue {
		return 0, errLarge
	}
	const small, copies = 256 << 10, 4 // the buffer of the decoder, while it grows, and the values
	if more := copies*r.size - r.held; r.size > small && more > 0 {
		if err := r.src.Reserve(more); err != nil {
			return 0, err
		}
		r.held += more
	}
	n, err := r.file.Read(b)
	r.size += int64(n)
	return n, err
}

// value reads the next value. One of another type is nothing.
func (r *reader) value(v any) error {
	r.size = 0
	err := r.Decode(v)
	if _, isOther := errors.AsType[*json.UnmarshalTypeError](err); isOther {
		return nil
	}
	return r.failure(err)
}

// failure returns err as an error about the document, unless it is one of the file or the call.
func (r *reader) failure(err error) error {
	_, isInvalid := errors.AsType[*json.SyntaxError](err)
	switch {
	case isInvalid:
		return documents.Invalidf("no JSON: %v", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errEarly
	}
	return err
}

// cells reads a notebook. The function reads a cell. In version 3, cells are in worksheets.
func (r *reader) cells(read func() error) error {
	return r.list('{', func() error {
		key, err := r.Token()
		if err != nil {
			return err
		}
		switch key {
		case "cells":
			r.found = true
			return r.list('[', read)
		case "worksheets":
			return r.list('[', func() error { return r.cells(read) })
		}
		return r.value(new(skipped))
	})
}

// list reads what begins with a delimiter. The function reads an item.
func (r *reader) list(first json.Delim, read func() error) error {
	r.size = 0
	token, err := r.Token()
	if err == nil && token != first {
		return documents.Invalidf("its cells are no list of objects")
	}
	for err == nil && r.More() {
		err = read()
	}
	if err == nil {
		_, err = r.Token() // the end
	}
	return r.failure(err)
}

// skipped is a value that is not wanted.
type skipped struct{}

// UnmarshalJSON implements [json.Unmarshaler].
func (skipped) UnmarshalJSON([]byte) error { return nil }

// A text is a text, or a list of texts. Anything else is nothing.
type text string

// UnmarshalJSON implements [json.Unmarshaler].
func (t *text) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, (*string)(t))
	}
	var list []item
	_ = json.Unmarshal(b, &list)
	var all strings.Builder
	for _, s := range list {
		all.WriteString(string(s))
	}
	*t = text(all.String())
	return nil
}

// An item is a text in a list. Anything else is nothing.
type item string

// UnmarshalJSON implements [json.Unmarshaler].
func (i *item) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return nil
	}
	return json.Unmarshal(b, (*string)(i))
}
