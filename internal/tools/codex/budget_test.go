//go:build unix

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
	"unicode/utf8"

	"gander/internal/testkit/fixture"
	"gander/tool"
)

// A paged is a tool whose answer is read page by page.
type paged struct {
	tool  tool.Tool
	first string                     // the arguments of the first page
	next  func(offset string) string // those of a later one
	head  int                        // lines of a page that are not items
}

// follow reads one page after the other as their notices say, each within the limit, and returns their items. It reports
// whether they are complete, which they are not if some page has no room for its first item.
func (p paged) follow(t *testing.T, limit int) (items []string, complete bool) {
	t.Helper()
	notice := regexp.MustCompile(`^\[gander: output limit of (\d+) bytes reached; continue with offset=(\d+)( in slice mode)?\]$`)
	for args := p.first; ; {
		result, err := call(t, p.tool, args, limit)
		if err != nil {
			if want := fmt.Sprintf("the output limit of %d bytes is too small for any answer; raise it", limit); err.Error() != want {
				t.Fatalf("%s within %d: %v", args, limit, err)
			}
			return items, false
		}
		if len(result.Text()) > limit || !utf8.ValidString(result.Text()) {
			t.Fatalf("%s within %d: %d bytes: %q", args, limit, len(result.Text()), result.Text())
		}
		lines := strings.Split(result.Text(), "\n")
		last := lines[len(lines)-1]
		cut := notice.FindStringSubmatch(last)
		if result.Truncated != (cut != nil) {
			t.Fatalf("%s within %d: truncated is %v: %q", args, limit, result.Truncated, result.Text())
		}
		if cut == nil {
			return append(items, lines[p.head:]...), true
		}
		if cut[1] != strconv.Itoa(limit) || len(lines) < p.head+2 {
			t.Fatalf("%s within %d: %q", args, limit, result.Text())
		}
		items = append(items, lines[p.head:len(lines)-1]...)
		args = p.next(cut[2])
	}
}

// checkEveryLimit compares the items of the pages with those of the whole answer, for every limit from 0 to beyond its size.
func (p paged) checkEveryLimit(t *testing.T) {
	t.Helper()
	whole := answer(t, p.tool, p.first)
	want := strings.Split(whole, "\n")[p.head:]
	fitting := 0
	for limit := range len(whole) + 2 {
		items, complete := p.follow(t, limit)
		if complete && !slices.Equal(items, want) || !complete && !slices.Equal(items, want[:min(len(items), len(want))]) {
			t.Fatalf("within %d\ngot  %q\nwant %q", limit, items, want)
		}
		if complete {
			fitting++
		}
		if limit >= max(len(whole), 1) && !complete { // even an empty answer does not fit into 0 bytes
			t.Errorf("the whole of %d bytes does not fit into %d", len(whole), limit)
		}
	}
	if len(want) > 4 && fitting < 50 {
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
		for _, verbatim := range []bool{true, false} {
			list := NewListDir(open(t, root), ListDirSettings{Limit: 25, Depth: 2, VerbatimNames: verbatim})
			args := func(offset string) string {
				return fmt.Sprintf(`{"dir_path":%q,"offset":%s,"limit":1000}`, root, offset)
			}
			paged{list, args("1"), args, 1}.checkEveryLimit(t)
		}
	}
}

func TestReadFileEveryLimit(t *testing.T) {
	root := t.TempDir()
	read := readFile(open(t, root))
	path := filepath.Join(root, "f")
	for _, text := range []string{
		strings.Repeat("    x\n  漢\r\n\t\xff\n\n", 6), strings.Repeat("a\n", 40), "x", strings.Repeat("y", 600), "\n\n", "  a\n    b\n    b\n  a\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		slice := func(offset string) string { return fmt.Sprintf(`{"file_path":%q,"offset":%s}`, path, offset) }
		paged{read, slice("1"), slice, 0}.checkEveryLimit(t)

		n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
		for anchor := 1; anchor <= n; anchor += 13 {
			block := fmt.Sprintf(`{"file_path":%q,"mode":"indentation","offset":%d,"indentation":{"max_levels":1}}`, path, anchor)
			whole := strings.Split(answer(t, read, block), "\n")
			last, _, _ := strings.Cut(strings.TrimPrefix(whole[len(whole)-1], "L"), ":")
			paged{read, block, func(offset string) string {
				from, _ := strconv.Atoi(offset)
				to, _ := strconv.Atoi(last)
				return fmt.Sprintf(`{"file_path":%q,"offset":%d,"limit":%d}`, path, from, to-from+1)
			}, 0}.checkEveryLimit(t)
		}
	}
}

// TestMoreLine checks that the line about further entries counts towards the limit, and that a notice replaces it.
func TestMoreLine(t *testing.T) {
	root := fixture.Make(t, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z")
	list := listDir(open(t, root))
	args := fmt.Sprintf(`{"dir_path":%q,"limit":25}`, root)
	whole := answer(t, list, args)
	for limit := range len(whole) + 2 {
		result, err := call(t, list, args, limit)
		more := strings.HasSuffix(result.Text(), "\nMore than 25 entries found")
		if err == nil && (len(result.Text()) > limit || !result.Truncated || more != (limit >= len(whole))) {
			t.Errorf("within %d: %q", limit, result.Text())
		}
	}
}
