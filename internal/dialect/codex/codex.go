// Package codex is the Codex dialect: list_dir and read_file, as their specifications and the original program have
// them. It knows their arguments, words and lines; the engine finds the entries and lines.
package codex

import (
	"errors"

	"gander/internal/dialect"
	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
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

// fail words an error of the engine: "failed to read directory: permission denied".
func fail(doing string, err error) error {
	reason := dialect.ErrorText(err)
	if errors.Is(err, workspace.ErrOutside) {
		reason += "; use an absolute path inside it"
	}
	return dialect.NewError(err, doing+": "+reason)
}

// messages returns the messages of the original's deserializer. Where it describes a syntax error, this is our own wording.
func messages() dialect.Messages {
	return dialect.Messages{
		Prefix:  "failed to parse function arguments: ",
		JSON:    "{error}",
		Missing: "missing field `{key}`",
		Unknown: "unknown field `{key}`, expected one of {keys}",
		String:  "invalid type for `{key}`: {type}, expected a string",
		Boolean: "invalid type for `{key}`: {type}, expected a boolean",
		Object:  "invalid type for `{key}`: {type}, expected an object",
		Integer: "invalid value for `{key}`: {value}, expected an unsigned integer",
		Choice:  "unknown variant for `{key}`: {value}, expected {choices}",
		Quote:   "`",
	}
}
