package docx

import (
	"slices"

	"gander/internal/documents"
)

// A field is a field around the text: its instruction, then its result.
type field struct {
	instruction string
	hasResult   bool // the text is in it
	isLink      bool
}

// Limits of the fields around a text, and of an instruction in bytes.
const (
	maxFields      = 32
	maxInstruction = 4 << 10
)

// startField begins a field or its result, which can be a link, or ends it.
func (w *writer) startField(what string) {
	n := len(w.fields)
	if what == "begin" && n < maxFields {
		w.fields = append(w.fields, field{})
	}
	if n == 0 {
		return
	}
	switch f := &w.fields[n-1]; {
	case what == "end":
		if f.isLink {
			w.inline.EndLink()
		}
		w.fields = w.fields[:n-1]
	case what == "separate" && !f.hasResult:
		f.hasResult = true
		target, isLink := documents.FieldLink(f.instruction)
		if isLink {
			f.isLink = true
			w.begin()
			w.inline.StartLink(target)
		}
	}
}

// inInstruction reports whether the text is not shown: it is part of the instruction of a field.
func (w *writer) inInstruction() bool {
	return slices.ContainsFunc(w.fields, func(f field) bool { return !f.hasResult })
}

// addInstruction adds text to the instruction of the innermost field.
func (w *writer) addInstruction(text []byte) {
	last := len(w.fields) - 1
	if last >= 0 && len(w.fields[last].instruction)+len(text) <= maxInstruction {
		w.fields[last].instruction += string(text)
	}
}
