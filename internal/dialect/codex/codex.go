// Package codex is the Codex dialect: list_dir and read_file, as their specifications and the original program have
// them. It knows their arguments, words and lines; the engine finds the entries and lines.
package codex

import (
	"errors"

	"gander/internal/dialect"
	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// maxBytes is MAX_ENTRY_LENGTH and MAX_LINE_LENGTH: a name, a key and a line are cut to so many bytes.
const maxBytes = 500

// A family is what both tools share.
type family struct {
	workspace *workspace.Workspace
	verbatim  bool
}

// shown returns a raw name as it is shown, cut to most bytes: itself where nothing changes, otherwise in scratch.
func (f family) shown(scratch, raw []byte, most int) []byte {
	if len(raw) <= most && text.IsPrintableASCII(raw) {
		return raw
	}
	name := text.AppendLossy(scratch[:0], raw)
	name = name[:len(text.Cut(name, most))]
	if f.verbatim {
		return name
	}
	return text.EscapeBytes(name)
}

func invalid(message string) error {
	return &tool.Error{Kind: tool.BadArguments, Message: message}
}

// fail words an error of the engine: "failed to read directory: permission denied".
func fail(doing string, err error) error {
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return dialect.NewError(err, doing+": "+err.Error()+"; use an absolute path inside it")
	default:
		return dialect.NewError(err, doing+": "+dialect.ErrorText(err))
	}
}
