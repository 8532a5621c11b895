// Package codex has the tools of Codex: list_dir, read_file and grep_files, as their specifications and
// the original program define them. Sections in comments are those of the specifications.
package codex

import "gander/internal/tools/shared"

// maxBytes is MAX_ENTRY_LENGTH and MAX_LINE_LENGTH: names, sort keys and lines are cut to this many
// bytes.
const maxBytes = 500

// newError returns the error of a call that failed while doing something: "failed to read
// directory: permission denied".
func newError(doing string, err error) error {
	texts := shared.ErrorTexts{shared.Outside: "%s; use an absolute path inside it"}
	return shared.NewError(err, doing+": "+texts.Of(err))
}

// messages returns the messages of the original's deserializer. For errors in the JSON itself the
// wording is our own.
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
