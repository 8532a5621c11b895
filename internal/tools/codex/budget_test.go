package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/tool"
)

// A paged is a tool whose result is read page by page.
type paged struct {
	tool  tool.Tool
	first string                     // arguments for the first page
	next  func(offset string) string // arguments for a later page
	head  int                        // lines of a page that precede its items
}

// follow reads page after page as the notices suggest, and returns the items. It reports whether
// they are complete. A limit can be too small for the first item of a page.
func (p paged) follow(t *testing.T, limit int) (items []string, complete bool) {
	t.Helper()
	prefix := fmt.Sprintf("output limit of %d bytes ", limit)
	notice := regexp.MustCompile(`^\[gander: ` + prefix +
		`reached; continue with offset=(\d+)( in slice mode)?\]$`)
	tooSmall := "the " + prefix + "is too small for any answer; raise it"
	for args := p.first; ; {
		result, err := call(t, p.tool, args, limit)
		if err != nil && err.Error() != tooSmall || len(result.Text()) > limit {
			t.Fatalf("%s within %d: %v, %q", args, limit, err, result.Text())
		}
		if err != nil {
			return items, false
		}
		lines := strings.Split(result.Text(), "\n")
		cut := notice.FindStringSubmatch(lines[len(lines)-1])
		if result.Truncated != (cut != nil) || cut != nil && len(lines) < p.head+2 {
			t.Fatalf("%s within %d: truncated is %v: %q", args, limit, result.Truncated, result.Text())
		}
		if cut == nil {
			return append(items, lines[p.head:]...), true
		}
		items = append(items, lines[p.head:len(lines)-1]...)
		args = p.next(cut[1])
	}
}

// checkEveryLimit compares the items of the pages with the whole result, for every limit.
func (p paged) checkEveryLimit(t *testing.T) {
	t.Helper()
	whole := output(t, p.tool, p.first)
	want := strings.Split(whole, "\n")[p.head:]
	fitting, step := 0, 1
	if testing.Short() {
		step = 13
	}
	for limit := 0; limit < len(whole)+2; limit += step {
		items, complete := p.follow(t, limit)
		known := want[:min(len(items), len(want))]
		if complete {
			fitting++
			known = want
		}
		if !slices.Equal(items, known) {
			t.Fatalf("within %d\ngot  %q\nwant %q", limit, items, want)
		}
		if limit >= max(len(whole), 1) && !complete { // an empty result does not fit in 0 bytes
			t.Errorf("the whole of %d bytes does not fit in %d", len(whole), limit)
		}
	}
	if len(want) > 4 && fitting*step < 50 {
		t.Errorf("only %d limits can be used", fitting)
	}
}

func TestListDirEveryLimit(t *testing.T) {
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("d/%s%d", strings.Repeat("é", i), i))
	}
	for _, entries := range [][]string{many, {"a"}, {"empty/"}, {}, {"\xff\xff", "b/\u202e"}} {
		root := fixture.Make(t, entries...)
		args := func(offset string) string {
			return fmt.Sprintf(`{"dir_path":%q,"offset":%s,"limit":1000}`, root, offset)
		}
		for _, list := range []*ListDir{
			listDir(open(t, root)), NewListDir(open(t, root), DefaultListDirSettings()),
		} {
			paged{list, args("1"), args, 1}.checkEveryLimit(t)
		}
	}
}

func TestReadFileEveryLimit(t *testing.T) {
	root := t.TempDir()
	read := readFile(open(t, root))
	path := filepath.Join(root, "f")
	for _, text := range []string{
		strings.Repeat("    x\n  漢\r\n\t\xff\n\n", 6), strings.Repeat("a\n", 40), "x",
		strings.Repeat("y", 600), "\n\n", "  a\n    b\n    b\n  a\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		slice := func(offset string) string {
			return fmt.Sprintf(`{"file_path":%q,"offset":%s}`, path, offset)
		}
		paged{read, slice("1"), slice, 0}.checkEveryLimit(t)
		n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
		for anchor := 1; anchor <= n; anchor += 13 {
			block := strings.TrimSuffix(slice(strconv.Itoa(anchor)), "}") +
				`,"mode":"indentation","indentation":{"max_levels":1}}`
			whole := output(t, read, block)
			last, _, _ := strings.Cut(whole[strings.LastIndex(whole, "\n")+1:], ":")
			paged{read, block, func(offset string) string {
				from, _ := strconv.Atoi(offset)
				to, _ := strconv.Atoi(strings.TrimPrefix(last, "L"))
				return fmt.Sprintf(`{"file_path":%q,"offset":%d,"limit":%d}`, path, from, to-from+1)
			}, 0}.checkEveryLimit(t)
		}
	}
}

// TestMoreLine checks that the line about more entries counts towards the limit.
func TestMoreLine(t *testing.T) {
	root := fixture.Make(t, strings.Split("abcdefghijklmnopqrstuvwxyz", "")...)
	list := listDir(open(t, root))
	args := pathArgument(t, "dir_path", root)
	whole := output(t, list, args)
	for limit := range len(whole) + 2 {
		result, err := call(t, list, args, limit)
		more := strings.HasSuffix(result.Text(), "\nMore than 25 entries found")
		fits := len(result.Text()) <= limit && more == (limit >= len(whole))
		if err == nil && (!fits || !result.Truncated) {
			t.Errorf("within %d: %q", limit, result.Text())
		}
	}
}
