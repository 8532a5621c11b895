package load

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// maxForLines is the maximum memory of a server that reads long lines, in KiB.
const maxForLines = 60_000_000 / 1024

// TestLargeLines checks the memory for lines of 15 MB, and for concurrent calls with the maximum
// number of values per line. All of them must be rejected.
func TestLargeLines(t *testing.T) {
	p := startAll(t, fixture.Make(t, "f"))
	const calls = 4 + 32
	go func() {
		for i := range calls {
			values := 7_500_000
			if i >= 4 {
				values = 500_000
			}
			_, _ = fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{`+
				`"name":"read_multiple_files","arguments":{"paths":[%s1]}}}`+"\n",
				i, strings.Repeat("1,", values))
		}
	}()
	for range calls {
		line, err := p.out.ReadString('\n')
		testkit.Must(t, err)
		if !strings.Contains(line, "rror") {
			t.Fatalf("%.200s", line)
		}
	}
	p.checkPeak(t, maxForLines)
}
