package documents

import "fmt"

// A Reason is why a document cannot be read.
type Reason int

// The reasons.
const (
	Encrypted Reason = iota + 1
	Invalid          // the document is damaged
	NoText           // it has pages, but no text
	TooLarge         // it exceeds a limit
)

// An Error is a document that cannot be read. Its text follows the name of the document:
// "is encrypted".
type Error struct {
	Reason Reason
	text   string
}

// Error implements [error].
func (e *Error) Error() string { return e.text }

// ErrEncrypted is for a document that needs a password.
var ErrEncrypted error = &Error{Encrypted, "is encrypted"}

// ErrCompound is for a file in the compound format of OLE, which contains an encrypted document or
// one of old Office versions.
var ErrCompound error = &Error{Encrypted, "is encrypted, or an old binary Office format"}

// Invalidf returns an error for a document that is damaged. The cause completes "is not a valid
// document: ".
func Invalidf(format string, args ...any) error {
	return &Error{Invalid, "is not a valid document: " + fmt.Sprintf(format, args...)}
}

// NoTextf returns an error for a document whose pages have no text.
func NoTextf(pages int) error {
	if pages == 1 {
		return &Error{NoText, "has no text; its page is probably a scanned image"}
	}
	return &Error{NoText, fmt.Sprintf(
		"has no text; its %d pages are probably scanned images", pages)}
}

// TooLargef returns an error for a document that exceeds a limit. The text completes "is too large
// to be read as text: ".
func TooLargef(format string, args ...any) error {
	return &Error{TooLarge, "is too large to be read as text: " + fmt.Sprintf(format, args...)}
}
