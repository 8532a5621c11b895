package gander_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"gander"
	"gander/tool"
)

func Example() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	result, err := ts.Call(context.Background(), "toolkit/tree", tool.Call{Args: []byte(`{"path":"docs","entry_kind":"all"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	// Output:
	// {"root":{"kind":"directory","name":"docs","path":"docs","depth":0,"children":[{"kind":"file","name":"2026.md","path":"docs/2026.md","depth":1}]},"limit_reached":false,"scanned_entries":2,"total_dirs":1,"total_files":1,"total_symlinks":0}
}

// Errors carry a kind, the tool's published code and words, and match what the standard library has for them.
func ExampleToolset_Call() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, path := range []string{"missing", "README.md", "../.."} {
		_, err := ts.Call(context.Background(), "toolkit/tree", tool.Call{Args: fmt.Appendf(nil, `{"path":%q}`, path)})
		var failure *tool.Error
		if errors.As(err, &failure) {
			fmt.Println(failure.Kind, failure.Code, errors.Is(err, os.ErrNotExist), errors.Is(err, tool.ErrOutside))
		}
	}
	// Output:
	// not_found NOT_FOUND true false
	// not_a_directory NOT_DIRECTORY false false
	// outside SANDBOX_VIOLATION false true
}

// Only Codex's tools, a narrower budget and a policy that asks before a file is read.
func ExampleOptions() {
	ts, err := gander.Open(gander.Options{
		Roots:  []string{"testdata/sample"},
		Tools:  []string{"codex"},
		Policy: tool.Policy{Prompt: []string{"codex/read_file"}},
		Approver: func(_ context.Context, s tool.Spec, c tool.Call) error {
			return fmt.Errorf("nobody may use %s today", s.Name)
		},
		Limits:  gander.Limits{MaxOutputBytes: 20 << 10, Timeout: 2 * time.Second},
		Sandbox: gander.Sandbox{Deny: []string{"**/*.env"}},
		Observe: func(_ context.Context, r tool.Record) {
			fmt.Println("observed:", r.Tool.ID, r.Err.Kind)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, d := range ts.Definitions() {
		fmt.Println(d.Name, d.SideEffects, d.Risk)
	}
	_, err = ts.Call(context.Background(), "read_file", tool.Call{Args: []byte(`{"file_path":"/any"}`)})
	fmt.Println(err)
	// Output:
	// list_dir false Low
	// read_file false Low
	// grep_files false Low
	// observed: codex/read_file denied
	// codex/read_file was not approved: nobody may use read_file today
}
