package read

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestReadOn follows the markers of read_file over random files, with budgets from tiny to large.
// It must read every character of every line exactly once.
func TestReadOn(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	r := rand.New(rand.NewPCG(9, 9))
	root := t.TempDir()
	for round := range 5 {
		var want []string
		for range 1 + r.IntN(40) {
			length := []int{0, 1, 5, 40, 200, 3000}[r.IntN(6)]
			if length == 3000 && r.IntN(4) == 0 {
				length = 20_000
			}
			var line strings.Builder
			for range r.IntN(length + 1) {
				line.WriteString([]string{"a", "b", "é", "漢", "😀", " "}[r.IntN(6)])
			}
			want = append(want, line.String())
		}
		tooltest.Put(t, root, "f", strings.Join(want, []string{"\n", "\r\n"}[r.IntN(2)])+"\n")
		c := nativetest.Over(t, listing, call.Settings{}, root)
		for _, limit := range []int{250, 1000, 5000, 40_000, -1} {
			if got, ok := readAll(c, limit); ok && !slices.Equal(got, want) {
				t.Fatalf("round %d, limit %d: %d lines, want %d", round, limit, len(got), len(want))
			}
		}
	}
}

// goOn is a hint at the end of a heading or of a cut line.
var goOn = regexp.MustCompile(`(?: \[line cut at [\d,]+ of [\d,]+ .*the rest: |; continue with )` +
	`(?:offset=(\d+)|path="(.*)"\]?)$`)

// readAll reads the file f by following the hints. It reports false if the limit is too small for a
// result.
func readAll(c tooltest.Caller, limit int) (lines []string, ok bool) {
	c.T.Helper()
	queue := []string{`{"path":"f"}`}
	for calls := 0; len(queue) > 0; calls++ {
		args := queue[0]
		queue = queue[1:]
		result, ok := tooltest.CallTwice(c, args, limit)
		if !ok {
			return nil, false
		}
		marked := false
		for i, line := range strings.Split(result.Text(), "\n") {
			digits, content, numbered := strings.Cut(line, "\t")
			hint := goOn.FindStringSubmatch(line)
			if hint != nil && (i == 0 || numbered) {
				marked = true
				content = strings.TrimSuffix(content, hint[0])
				queue = append(queue, fmt.Sprintf(`{"path":"%s","offset":%s}`,
					cmp.Or(hint[2], "f"), cmp.Or(hint[1], "null")))
			}
			if number, _ := strconv.Atoi(digits); number == len(lines)+1 {
				lines = append(lines, content)
			} else if numbered {
				lines[number-1] += content
			}
		}
		if result.Truncated && !marked || calls > 3000 {
			c.T.Fatalf("%s: cut without a mark, or the hints form a cycle:\n%s", args, result.Text())
		}
	}
	return lines, true
}
