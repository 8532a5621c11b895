package docx

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
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

// startField begins a field or its result, or ends it.
func (w *writer) startField(s *markup.Scanner) {
	last := len(w.fields) - 1
	switch s.Attr("fldCharType") {
	case "begin":
		if last+1 < maxFields {
			w.fields = append(w.fields, field{})
		}
	case "separate":
		if last >= 0 && !w.fields[last].hasResult {
			w.startResult(&w.fields[last])
		}
	case "end":
		if last < 0 {
			return
		}
		if w.fields[last].isLink {
			w.inline.EndLink()
		}
		w.fields = w.fields[:last]
	}
}

// startResult begins the result of a field, which can be a link.
func (w *writer) startResult(f *field) {
	f.hasResult = true
	target, ok := documents.FieldLink(f.instruction)
	if ok {
		f.isLink = true
		w.begin()
		w.inline.StartLink(target)
	}
}

// inInstruction reports whether the text is not shown: it is part of the instruction of a field.
func (w *writer) inInstruction() bool {
	for _, f := range w.fields {
		if !f.hasResult {
			return true
		}
	}
	return false
}

// addInstruction adds text to the instruction of the innermost field.
func (w *writer) addInstruction(text []byte) {
	last := len(w.fields) - 1
	if last < 0 || len(w.fields[last].instruction)+len(text) > maxInstruction {
		return
	}
	w.fields[last].instruction += string(text)
}
