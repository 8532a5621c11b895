package documents

import "fmt"

// An Error is a document that cannot be read. Its text follows the name of the document:
// "is encrypted".
type Error struct{ text string }

// Error implements [error].
func (e *Error) Error() string { return e.text }

// ErrEncrypted is for a document that needs a password.
var ErrEncrypted error = &Error{"is encrypted"}

// ErrCompound is for a file in the compound format of OLE, which contains an encrypted document or
// one of old Office versions.
var ErrCompound error = &Error{"is encrypted, or an old binary Office format"}

// Invalidf returns an error for a document that is damaged. The cause completes "is not a valid
// document: ".
func Invalidf(format string, args ...any) error {
	return &Error{"is not a valid document: " + fmt.Sprintf(format, args...)}
}

// NoText returns an error for a document whose pages have no text.
func NoText(pages int) error {
	if pages == 1 {
		return &Error{"has no text; its page is probably a scanned image"}
	}
	return &Error{fmt.Sprintf("has no text; its %d pages are probably scanned images", pages)}
}

// TooLargef returns an error for a document that exceeds a limit. The text completes "is too large
// to be read as text: ".
func TooLargef(format string, args ...any) error {
	return &Error{"is too large to be read as text: " + fmt.Sprintf(format, args...)}
}
