package shell

import (
	"strings"
	"testing"
)

func TestParseLimits(t *testing.T) {
	for _, script := range []string{
		strings.Repeat("(", 2000), strings.Repeat("$(", 2000), strings.Repeat("x", 20000),
		strings.Repeat("{ ", 2000), strings.Repeat("`", 2000), strings.Repeat("[[ ", 2000),
	} {
		if _, err := parse(script); err == nil {
			t.Errorf("%.20s... was parsed", script)
		}
	}
}
