package load

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"gander"
	"gander/internal/audit"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// auditedCalls is the number of calls of TestAudit.
const auditedCalls = 10_000

// TestAudit makes many calls at once and checks that the record has each once. It logs what recording
// costs.
func TestAudit(t *testing.T) {
	root := fixture.Make(t, "a.txt")
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	log, err := audit.Open(audit.Options{File: file, Roots: []string{root}, Required: true})
	testkit.Must(t, err)
	without := makeCalls(t, gander.Options{Roots: []string{root}})
	with := makeCalls(t, gander.Options{Roots: []string{root}, Audit: log.Record})
	testkit.Must(t, log.Close())
	t.Logf("%v for a call without a record, %v with one", without, with)

	f, err := os.Open(file)
	testkit.Must(t, err)
	defer f.Close()
	seen := make(map[string]int)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r tool.Record
		testkit.Must(t, json.Unmarshal(lines.Bytes(), &r))
		if len(r.Opened) == 0 {
			t.Fatalf("nothing was opened: %+v", r)
		}
		seen[r.Arguments]++
	}
	if len(seen) != auditedCalls {
		t.Errorf("%d of %d calls are recorded", len(seen), auditedCalls)
	}
	for arguments, count := range seen {
		if count != 1 {
			t.Errorf("%s is recorded %d times", arguments, count)
		}
	}
}

// makeCalls makes different calls by 16 goroutines. It returns the time for each.
func makeCalls(t *testing.T, o gander.Options) time.Duration {
	ts, err := gander.Open(o)
	testkit.Must(t, err)
	defer ts.Close()
	const callers = 16
	begin := time.Now()
	var group sync.WaitGroup
	for c := range callers {
		group.Go(func() {
			for i := c; i < auditedCalls; i += callers {
				args := fmt.Sprintf(`{"path":"a.txt","limit":%d}`, i+1)
				if _, err := ts.Call(t.Context(), "read_file", []byte(args)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	return time.Since(begin) / auditedCalls
}
