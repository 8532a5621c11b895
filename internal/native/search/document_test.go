package search

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/documents"
	"gander/internal/documents/office"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/read"
	"gander/internal/native/wording"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestParts checks that results in a document are below the mark of the page, the sheet or the slide
// that they are in.
func TestParts(t *testing.T) {
	for args, want := range map[string]string{
		`{"pattern":"Total|far|rate","glob":"openpyxl.xlsx","documents":true,"context":0}`: "3 matching " +
			"lines in 1 file\nopenpyxl.xlsx\n1=\t# sheet Sales\n5\tC4\tTotal\t=SUM(D2:D3)\n" +
			"6\tA6\tfar\n10=\t# sheet Parameters (hidden)\n11\tB2\trate\t0.19",
		`{"pattern":"sheet Sales|Total","glob":"openpyxl.xlsx","documents":true,"context":0}`: "2 matching " +
			"lines in 1 file\nopenpyxl.xlsx\n1\t# sheet Sales\n5\tC4\tTotal\t=SUM(D2:D3)",
	} {
		for _, cache := range []int{0, 8 << 20} {
			w, err := workspace.Open(workspace.Options{CacheBytes: cache}, "../../documents/office/testdata")
			fixture.Must(t, err)
			c := nativetest.Caller(t, Tool(&call.Environment{Workspace: w, Settings: withDocuments()}))
			if got := tooltest.Output(c, args, -1); got != want {
				t.Errorf("%s, cache %d:\n%s\nwant\n%s", args, cache, got, want)
			}
			fixture.Must(t, w.Close())
		}
	}
}

// TestManyDocuments searches many documents, whose number must not determine the memory, and
// cancels searches of them.
func TestManyDocuments(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	root := t.TempDir()
	document := tooltest.WordDocument("some text", "another word")
	for i := range n {
		tooltest.Put(t, root, fmt.Sprintf("d%02d/f%d.docx", i%50, i), document)
	}
	e := &call.Environment{Workspace: tooltest.Workspace(t, nil, root)}
	e.Settings.Documents = office.Formats()
	search := func(ctx context.Context) (string, error) {
		args := json.RawMessage(`{"pattern":"none","documents":true}`)
		result, err := Tool(e).Call(ctx, tool.Call{Args: args})
		return result.Text(), err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := search(t.Context())
	want := "no matching line in " + wording.Grouped(n) + " files searched"
	if got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 48<<20 {
		t.Errorf("%d MiB of memory", grown>>20)
	}
	slow := 0
	for i := range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		var canceled time.Time
		time.AfterFunc(time.Duration(1+i)*time.Millisecond, func() { // long before the search would end
			canceled = time.Now()
			cancel()
		})
		_, err := search(ctx)
		if err != context.Canceled {
			t.Errorf("a search that is canceled: %v", err)
		} else if took := time.Since(canceled); took > 100*time.Millisecond {
			t.Logf("ended %v after it was canceled", took)
			slow++
		}
	}
	if slow > 3 { // of a machine that does other things, too
		t.Errorf("%d searches ended late", slow)
	}
}

// A slowFormat has documents that are text, whose last line takes for ever. It stores the longest
// time that one was read.
type slowFormat struct{ longest *atomic.Int64 }

func (slowFormat) Name() string { return "slow" }

func (slowFormat) Recognize(_ context.Context, src *documents.Source) (bool, error) {
	return strings.HasPrefix(string(src.Head), "slow "), nil
}

func (s slowFormat) Write(ctx context.Context, src *documents.Source, w *documents.Writer) error {
	start := time.Now()
	for range 1000 {
		w.Line(src.Head)
	}
	<-ctx.Done()
	took := int64(time.Since(start))
	for longest := s.longest.Load(); took > longest; longest = s.longest.Load() {
		s.longest.CompareAndSwap(longest, took)
	}
	return ctx.Err()
}

// TestSlowDocuments checks that no document keeps a search from the others, and that documents
// leave time for the rest.
func TestSlowDocuments(t *testing.T) {
	var longest atomic.Int64
	root := t.TempDir()
	for i := range 60 {
		tooltest.Put(t, root, fmt.Sprintf("%d.slow", 10+i), "slow hit")
	}
	tooltest.Put(t, root, "text", "a hit")
	e := &call.Environment{Workspace: tooltest.Workspace(t, nil, root)}
	e.Settings.Documents = []documents.Format{slowFormat{&longest}}
	search := func(ctx context.Context, path string) string {
		args := fmt.Sprintf(`{"pattern":"hit$","documents":true,"output":"counts","path":%q}`, path)
		result, err := Tool(e).Call(ctx, tool.Call{Args: json.RawMessage(args)})
		if err != nil || !result.Unreadable {
			t.Errorf("%s: %v, %v", path, result.Unreadable, err)
		}
		return result.Text()
	}
	for _, tt := range []struct {
		path    string
		longest time.Duration
		want    string
	}{
		{
			"", 2 * time.Second,
			`(?s)^\d+ matching files with [\d,]+ matching lines; \d+ documents not searched, because ` +
				`time was short: give a narrower path or glob; only the beginning searched, because time ` +
				`was short: 10.slow, 11.slow, 12.slow, \d+ more documents\n1000\t10.slow\n.*\n1\ttext$`,
		},
		{
			"30.slow", 9600 * time.Millisecond,
			`^1 matching file with 1,000 matching lines; only the beginning searched, because time ` +
				`was short: 30.slow\n1000\t30.slow$`,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
			defer cancel()
			start := time.Now()
			if got := search(ctx, tt.path); !regexp.MustCompile(tt.want).MatchString(got) {
				t.Errorf("%q:\n%s\nwant\n%s", tt.path, got, tt.want)
			}
			if got := time.Duration(longest.Swap(0)); got != tt.longest {
				t.Errorf("%q: a document took %v, want %v", tt.path, got, tt.longest)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%q: took %v", tt.path, took)
			}
		})
	}
}

// TestSearchedLines compares each line of documents in a search with that which read_file shows,
// also when the text is cached.
func TestSearchedLines(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 2,000 lines one by one")
	}
	root := t.TempDir()
	var paragraphs []string
	for i := range 2000 {
		paragraphs = append(paragraphs, fmt.Sprint(i, " ", strings.Repeat("é", i)))
	}
	paragraphs = append(paragraphs, strings.Repeat("long ", 50_000), "the end")
	tooltest.Put(t, root, "long.docx", tooltest.WordDocument(paragraphs...))
	tooltest.Put(t, root, "many.ipynb", tooltest.Notebook(5000))
	settings := call.Settings{Documents: office.Formats()}
	search := nativetest.Over(t, Tool, settings, root)
	read := nativetest.Over(t, readTool, settings, root)
	hit := regexp.MustCompile(`(?m)^(\d+)\t(.*)$`)
	for _, path := range []string{"long.docx", "many.ipynb"} {
		for range 2 {
			found := tooltest.Output(search,
				`{"pattern":"","documents":true,"limit":100000,"path":"`+path+`"}`, -1)
			shown := map[string]string{}
			for _, m := range hit.FindAllStringSubmatch(tooltest.Output(read, `{"path":"`+path+`"}`, -1),
				-1) {
				shown[m[1]] = m[2]
			}
			hits := hit.FindAllStringSubmatch(found, -1)
			if len(hits) != len(shown) || len(hits) < 4000 {
				t.Errorf("%s: %d lines are found, %d shown", path, len(hits), len(shown))
			}
			for _, m := range hits {
				text, _, _ := strings.Cut(m[2], " [")
				if !strings.HasPrefix(shown[m[1]], text[:min(len(text), 300)]) {
					t.Fatalf("%s:%s: found %.50q, shown %.50q", path, m[1], m[2], shown[m[1]])
				}
			}
			last := hits[len(hits)-1]
			if number, _ := strconv.Atoi(last[1]); path == "long.docx" && last[2] != "the end" ||
				number != len(hits) {
				t.Errorf("%s ends with %q", path, last)
			}
		}
	}
}

// readTool returns read_file, which lists no directories.
func readTool(e *call.Environment) *call.Tool { return read.Tool(e, nil) }

// withDocuments returns settings with the formats of documents.
func withDocuments() call.Settings {
	return call.Settings{MaxChars: 40_000, Documents: office.Formats()}
}
