// Package codex implements the tools list_dir, read_file and grep_files of Codex, as defined by
// their documents and the original program. See docs/reproductions.md.
package codex

import (
	_ "embed"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// definitions contains the definitions of the tools: list_dir, read_file and grep_files. The
// descriptions of the first two are gander's own.
//
//go:embed definitions.json
var definitions []byte

// definition returns the definition with an index.
func definition(i int) shared.Defined {
	return shared.Defined{Published: shared.Definitions("codex", definitions)[i]}
}

// maxBytes is the maximum length of names, sort keys and lines in bytes: MAX_ENTRY_LENGTH and
// MAX_LINE_LENGTH.
const maxBytes = 500

// newError returns the error of a call that failed with err, such as "failed to read directory:
// permission denied".
func newError(doing string, err error) error {
	texts := shared.ErrorTexts{workspace.ErrOutside: "%s; use an absolute path inside it"}
	return shared.NewError(err, doing+": "+texts.Of(err))
}

// messages returns the messages of the original's deserializer, and gander's own message for errors
// in the JSON itself.
func messages() shared.Messages {
	return shared.Messages{
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
