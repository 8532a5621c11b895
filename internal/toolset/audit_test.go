package toolset_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"gander"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestAudit checks the records of calls: what was opened, how much was read, and what was refused.
func TestAudit(t *testing.T) {
	top := fixture.Make(t, "root/a.txt", "root/.env", "root/dir/b.txt", "outside")
	var mu sync.Mutex
	var records []tool.Record
	var failure error
	ts, err := gander.Open(gander.Options{
		Roots: []string{top + "/root"},
		Audit: func(_ context.Context, r tool.Record) error {
			mu.Lock()
			defer mu.Unlock()
			records = append(records, r)
			return failure
		},
	})
	fixture.Must(t, err)
	defer ts.Close()
	ctx := tool.WithClient(context.Background(), tool.Client{Token: "ci", Address: "192.0.2.1"})
	call := func(name string, args map[string]any) (string, error) {
		encoded, err := json.Marshal(args)
		fixture.Must(t, err)
		result, err := ts.Call(ctx, name, encoded)
		return result.Text(), err
	}
	last := func() tool.Record { return records[len(records)-1] }

	text, err := call("read_file", map[string]any{"path": "a.txt"})
	if err != nil || len(last().Opened) == 0 || !strings.HasSuffix(last().Opened[0].Path, "a.txt") {
		t.Errorf("%v, %+v", err, last())
	}
	if r := last(); r.Returned != len(text) || r.Client.Token != "ci" || r.Opened[0].Bytes == 0 {
		t.Errorf("%+v", r)
	}
	size := last().Opened[0].Bytes
	_, _ = call("bash", map[string]any{"command": "cat a.txt a.txt; head -1 a.txt; cd dir; cat ../a.txt"})
	if o := last().Opened; len(o) == 0 || o[0].Bytes != size {
		t.Errorf("a file that is read again has %d bytes: %+v", size, o)
	}
	_, _ = call("read_file", map[string]any{"path": ".env"})
	if r := last(); len(r.Refused) == 0 || r.Refused[0].Pattern == "" || r.Error == "" {
		t.Errorf("a denied file: %+v", r)
	}
	_, _ = call("read_file", map[string]any{"path": top + "/outside"})
	if r := last(); len(r.Refused) == 0 || r.Refused[0].Pattern != "" || len(r.Opened) != 0 {
		t.Errorf("a file outside: %+v", r)
	}
	if _, err := call("search_text", map[string]any{"pattern": "."}); err != nil || len(last().Opened) < 3 {
		t.Errorf("a search: %v, %+v", err, last())
	}
	_, _ = call("read_file", map[string]any{"path": strings.Repeat("x", 5000)})
	if r := last(); len(r.Arguments) > 1000 {
		t.Errorf("%d bytes of arguments", len(r.Arguments))
	}
	failure = errors.New("the disk is full")
	if text, err := call("read_file", map[string]any{"path": "a.txt"}); err == nil || text != "" {
		t.Errorf("a call that cannot be recorded: %q, %v", text, err)
	}
}
