package shell

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestValueExpressions checks that nothing runs that is in the value of a variable which is
// evaluated as an expression.
func TestValueExpressions(t *testing.T) {
	s := newTestShell(t, tree(t))
	r := rand.New(rand.NewPCG(1, 1))
	tokens := []string{
		"$(echo ra''n >&2)", "`echo ra''n >&2`", "<(echo ra''n >&2)", "$((", "))", "$(", ")", "(", "${x:-", "}",
		"$y", "a[", "]", "1", "y", "+", "-", "?", ":", "=", ",", "\"", "'", "$(export $y)", "\\", "~", "!", " ", "#",
	}
	for range 3000 {
		var value strings.Builder
		for range 1 + r.IntN(6) {
			value.WriteString(tokens[r.IntN(len(tokens))])
		}
		for _, script := range []string{
			`echo $(($1))`, `[[ $1 -eq 1 ]]`, `x=$1; ((x))`, `x=$1; y=abc; echo ${y:x}`,
		} {
			var out bytes.Buffer
			result := s.Run(t.Context(), Script{
				Text: script, Arguments: []string{value.String()}, Out: &out, Err: &out,
			})
			isWrong := result.Stopped != nil && strings.Contains(result.Stopped.Error(), "internal error")
			if isWrong || strings.Contains(out.String(), "ran") {
				t.Fatalf("%s with %q: %v, %q", script, value.String(), result.Stopped, out.String())
			}
		}
	}
}
