package load

import (
	"fmt"
	"strings"
	"testing"
)

// maxResident is the memory limit of a server that reads one page, in KiB.
const maxResident = 40_000_000 / 1024

// maxSearching is the memory limit of a server that searches, in KiB.
const maxSearching = 64_000_000 / 1024

// memoryIsBounded checks that the memory for the first page of a large file or directory does not
// depend on its size.
func memoryIsBounded(t *testing.T, root string) {
	p := startAll(t, root)
	for _, c := range []struct{ tool, args string }{
		{"toolkit/tree", `{"path":".","max_depth":1}`},
		{"codex/list_dir", `{"dir_path":"` + root + `/wide"}`},
		{"codex/list_dir", `{"dir_path":"` + root + `/wide","limit":1000,"depth":9}`},
		{"toolkit/tree", `{"path":"wide","entry_kind":"all","max_entries":1000}`},
		{"forge/list_directory", `{"path":"wide"}`},
		{"forge/list_directory", `{"path":".","recursive":true}`},
		{"gemini/list_directory", `{"path":"` + root + `/wide"}`},
		{"codex/read_file", `{"file_path":"` + root + `/endless","limit":1}`},
		{"codex/read_file", `{"file_path":"` + root + `/line"}`},
		{"codex/read_file", `{"file_path":"` + root + `/line","mode":"indentation"}`},
		{"codex/read_file", fmt.Sprintf(anchored("line"), root)},
		{"gander/list_dir", `{"path":"wide"}`},
		{"gander/list_dir", `{"depth":9}`},
		{"gander/read_file", `{"path":"long"}`},
		{"gander/read_file", `{"path":"long:1:1000000"}`},
		{"gander/read_file", `{"path":"long","block":1}`},
		{"gander/find_files", `{"pattern":"*.go"}`},
		{"gander/search_text", `{"pattern":"x","path":"wide","glob":"file-001*.go"}`},
		{"codex/grep_files", `{"pattern":"x","path":"` + root + `/line"}`},
		{"codex/grep_files", `{"pattern":"x","path":"` + root + `/wide","include":"file-00[0-3]*.go"}`},
	} {
		p.call(t, c.tool, c.args)
		peak := p.peak(t)
		t.Logf("%6d KiB after %s %s", peak, c.tool, strings.ReplaceAll(c.args, root, ""))
		most := maxResident
		if c.tool == "codex/grep_files" || c.tool == "gander/search_text" {
			most = maxSearching
		}
		if peak > most {
			t.Errorf("%s %s: %d KiB at the peak, more than %d", c.tool, c.args, peak, most)
		}
	}
}
