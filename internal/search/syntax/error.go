package syntax

import "fmt"

// An Error says what is wrong with a pattern and where.
type Error struct {
	Pattern string
	// Offset is the byte of the pattern at which the error lies.
	Offset int
	// Message says what is wrong, and what to write instead where that is known.
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d of the pattern %q", e.Message, e.Offset, e.Pattern)
}
