package documents

import (
	"fmt"
	"strings"

	"gander/internal/files/text"
)

// An Error is a document that cannot be read. Its text follows the name of the document:
// "is encrypted". It can contain names from the document, which [Name] has escaped.
type Error struct{ text string }

// Error implements [error].
func (e *Error) Error() string { return e.text }

// errorf returns an error of at most maxError bytes.
func errorf(format string, args ...any) error {
	return &Error{cutName(fmt.Sprintf(format, args...), maxError)}
}

const maxError = 1 << 10

// Name returns a name that a document contains, or a text with such names, in a form that cannot be
// taken for anything else: on one line, and without control characters or invisible ones. All names
// in marks, errors and placeholders pass through it.
func Name(s string) string {
	return text.Sanitize(strings.ReplaceAll(strings.Map(cleaned, s), "\t", " "))
}

// cutName is [Name] for at most limit bytes.
func cutName(s string, limit int) string {
	shown := Name(text.Cut(s, limit))
	if len(s) > limit || len(shown) > limit {
		shown = text.Cut(shown, limit-len("...")) + "..."
	}
	return shown
}

// ErrEncrypted is for a document that needs a password.
var ErrEncrypted error = &Error{"is encrypted"}

// ErrCompound is for a file in the compound format of OLE, which contains an encrypted document or
// one of old Office versions.
var ErrCompound error = &Error{"is encrypted, or an old binary Office format"}

// Invalidf returns an error for a document that is damaged. The cause completes "is not a valid
// document: ".
func Invalidf(format string, args ...any) error {
	return errorf("is not a valid document: "+format, args...)
}

// NoText returns an error for a document whose pages have no text.
func NoText(pages int) error {
	if pages == 1 {
		return &Error{"has no text; #page=1 after its path shows the page as a picture"}
	}
	return errorf("has no text; #page=1 after its path shows the first of its %d pages as a picture",
		pages)
}

// NotDrawn returns an error for a page that cannot be shown as a picture. The cause is a clause
// without a subject.
func NotDrawn(page int, cause error) error {
	return errorf("has no text on page %d, which cannot be drawn (%v)", page, cause)
}

// TooLargef returns an error for a document that exceeds a limit. The text completes "is too large
// to be read as text: ".
func TooLargef(format string, args ...any) error {
	return errorf("is too large to be read as text: "+format, args...)
}
