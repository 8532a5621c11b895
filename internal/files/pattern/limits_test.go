package pattern

import (
	"errors"
	"strings"
	"testing"
)

// TestLimits checks the documented maximums: the length of a pattern, and 160 KiB for the
// alternatives that its braces stand for.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		syntax Syntax
		length int
	}{{Path, 4096}, {Minimatch, 65_536}} {
		for size, fits := range map[int]bool{tt.length: true, tt.length + 1: false} {
			c := NewCompiler(t.Context())
			_, err := c.Compile(tt.syntax, strings.Repeat("a", size), false)
			if (err == nil) != fits {
				t.Errorf("syntax %v, %d bytes: %v", tt.syntax, size, err)
			}
		}
	}
	for kibibytes, fits := range map[int]bool{140: true, 170: false} {
		text := strings.Repeat("x", 1015) + "{" + strings.Repeat("a,", kibibytes-1) + "a}"
		_, err := NewCompiler(t.Context()).Compile(Path, text, false)
		if errors.Is(err, ErrTooLarge) == fits {
			t.Errorf("alternatives of %d KiB: %v", kibibytes, err)
		}
	}
}
