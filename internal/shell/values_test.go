package shell

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// TestMemoryEnds checks that the memory is free again of what commands have ended with.
func TestMemoryEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	s := newTestShell(t, tree(t))
	for _, script := range []string{
		"for i in {1..40}; do diff <(seq 100000) <(seq 100000); done",
		"for i in {1..3000}; do f() { " + strings.Repeat("echo x; ", 50) + "}; done",
		"for i in {1..40}; do x=$(seq 100000); unset x; done",
	} {
		r := s.Run(t.Context(), Script{Text: script, Out: io.Discard, Err: io.Discard})
		if r.Refused != nil || r.Stopped != nil || r.Status != 0 {
			t.Errorf("%.60s: status %d, %v, %v", script, r.Status, r.Refused, r.Stopped)
		}
	}
}

func TestMinutes(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0m0.001s": 1999 * time.Microsecond, "1m15.000s": 75 * time.Second, "61m59.999s": 62*time.Minute - 1,
	} {
		if got := minutes(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

// TestTimeIsOver checks that a command whose time ends while it reads a file ends with the status
// of timeout, and does not report the end as an error of the file.
func TestTimeIsOver(t *testing.T) {
	dir := tree(t)
	if err := os.Truncate(filepath.Join(dir, "b.txt"), 8<<30); err != nil { // without blocks on disk
		t.Fatal(err)
	}
	s := newTestShell(t, dir)
	for _, line := range []string{
		"wc -l b.txt", "wc b.txt a.txt", "cat b.txt", "tail -c +2 b.txt", "tac b.txt", "md5sum b.txt",
		"od b.txt", "xxd b.txt", "strings b.txt", "tr a b < b.txt", "grep -c x b.txt a.txt",
	} {
		var out, errors bytes.Buffer
		text := "timeout 0.02 " + line + " > /dev/null; echo $?"
		r := s.Run(t.Context(), Script{Text: text, Out: &out, Err: &errors})
		if r.Stopped != nil || out.String() != "124\n" || errors.Len() > 0 {
			t.Errorf("%s: %v, status %q, errors %q", line, r.Stopped, out.String(), errors.String())
		}
	}
}
