package boundary

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// An object contains the arguments of a call.
type object = map[string]any

const (
	secretSize = 48611         // size of a file outside, in bytes; nothing inside has this size
	secretTime = 1234567890123 // its modification time, in milliseconds
)

// leak returns the trace of an outside file in output, or "". It ignores known, the strings sent by
// the caller.
func leak(output string, known ...string) string {
	for _, k := range known {
		output = strings.ReplaceAll(output, k, "")
	}
	for _, trace := range []string{
		"SECRET", strconv.Itoa(secretSize), strconv.FormatInt(secretTime, 10),
	} {
		if strings.Contains(output, trace) {
			return trace
		}
	}
	return ""
}

// isLexical reports whether a tool resolves ".." lexically and takes a NUL for outside, as the
// official filesystem server does.
func isLexical(id string) bool { return strings.HasPrefix(id, "filesystem/") }

// hidePath removes from the output of a filesystem tool the path repeated by its error.
func hidePath(output string) string {
	return regexp.MustCompile(`outside allowed directories: .* not in `).ReplaceAllString(
		output, "outside allowed directories: PATH not in ",
	)
}

// sent returns the strings that the output of a call with a path may repeat.
func sent(id, path string) []string {
	if (isLexical(id) || isNative(id)) && strings.Contains(path, "SECRET") {
		return []string{path, "SECRET"}
	}
	return []string{path}
}

// isNative reports whether a tool is one of gander's own. Their errors repeat names of the path.
func isNative(id string) bool { return strings.HasPrefix(id, "gander/") }

// isDescription reports whether text is the description that list_dir gives of an entry which it
// does not open: a link that cannot be followed, a FIFO, a socket or a device.
func isDescription(id, text string) bool {
	return id == "gander/list_dir" && (strings.Contains(text, ": a link that cannot be followed: ") ||
		strings.Contains(text, ": a FIFO, socket or device"))
}

// hide makes a file that leak recognizes by its content, size and time.
func hide(t testing.TB, path string) {
	t.Helper()
	content := strings.Repeat("SECRET\n", secretSize/7+1)
	if err := os.WriteFile(path, []byte(content[:secretSize]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.UnixMilli(secretTime), time.UnixMilli(secretTime)); err != nil {
		t.Fatal(err)
	}
}

// describe returns everything that a result or error contains.
func describe(result tool.Result, failure *tool.Error) string {
	if failure != nil {
		return fmt.Sprintf(
			"%s | %s | %s | %s", failure.Kind, failure.Code, failure.Message, failure.Display,
		)
	}
	return result.Text() + " | " + result.Display
}

// outsiders returns the names of entries of each directory outside: a file, a directory, a missing
// entry and, on Unix, a FIFO, a directory without permissions, and symlinks to a directory and to
// themselves. No output may distinguish them.
func outsiders() []string {
	names := []string{"x-file", "x-dir", "x-none", "x-pipe", "x-shut", "x-away", "x-loop"}
	if runtime.GOOS == "windows" {
		names = names[:3]
	}
	return names
}

// beside returns the names of the siblings of w, which contain outsiders.
func beside() []string {
	dirs := []string{"out", "w_evil", "w-backup", "wx"}
	if runtime.GOOS == "linux" {
		dirs = append(dirs, "W")
	}
	return dirs
}

// A layout is a way to open a workspace that contains {top}/w. {w} in a path is replaced by each of
// spellings.
type layout struct {
	name      string
	roots     []string
	spellings []string
	// rename reports whether w is renamed while the workspace is open, and replaced by another
	// directory. Such a layout must be the last.
	rename bool
	narrow bool // narrowed from a toolset whose root is {top}
}

var layouts = []layout{
	{name: "one root", roots: []string{"w"}, spellings: []string{"w"}},
	{name: "a slash at its end", roots: []string{"w/"}, spellings: []string{"w"}},
	{name: "several roots", roots: []string{"w", "v"}, spellings: []string{"w"}},
	{name: "not the first root", roots: []string{"v", "w"}, spellings: []string{"w"}},
	{name: "nested roots", roots: []string{"w", "w/in"}, spellings: []string{"w"}},
	{name: "nested roots, the inner first", roots: []string{"w/in", "w"}, spellings: []string{"w"}},
	{name: "a root through a symlink", roots: []string{"lnk"}, spellings: []string{"lnk", "w"}},
	{name: "a root narrowed to", roots: []string{"w"}, spellings: []string{"w"}, narrow: true},
	{name: "a root renamed while open", roots: []string{"w"}, spellings: []string{"w"}, rename: true},
}

// open makes the entries and the outsiders, and opens the workspace.
func (l layout) open(t *testing.T, entries []string) (top string, toolset *gander.Toolset) {
	t.Helper()
	top = makeTop(t, entries)
	return top, l.openIn(t, top)
}

// makeTop makes the entries and the outsiders.
func makeTop(t *testing.T, entries []string) (top string) {
	t.Helper()
	all := []string{"w/in/f", "w/f", "v/g", "other/OTHER"}
	for _, out := range beside() {
		all = append(all, out+"/x-dir/SECRET")
		if runtime.GOOS != "windows" {
			all = append(all, out+"/x-pipe|", out+"/x-shut/SECRET", out+"/x-shut/ 0000",
				out+"/x-away => /etc", out+"/x-loop => x-loop")
		}
	}
	for _, entry := range entries {
		if !strings.Contains(entry, "{x}") {
			all = append(all, entry)
			continue
		}
		for _, x := range outsiders() {
			all = append(all, strings.ReplaceAll(entry, "{x}", x))
		}
	}
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "{top}", "{root}")
	}
	top = filepath.ToSlash(fixture.Make(t, all...))
	_ = os.Symlink("w", top+"/lnk") // for one of the layouts
	for _, out := range beside() {
		hide(t, top+"/"+out+"/x-file")
	}
	return top
}

// openIn opens the workspace below top.
func (l layout) openIn(t *testing.T, top string) *gander.Toolset {
	t.Helper()
	if _, err := os.Readlink(top + "/lnk"); err != nil && l.spellings[0] == "lnk" {
		t.Skip("no symlinks: ", err)
	}
	if l.rename && runtime.GOOS == "windows" {
		t.Skip("an open directory cannot be renamed")
	}
	var roots []string
	for _, root := range l.roots {
		roots = append(roots, top+"/"+root)
	}
	if l.narrow {
		wide, err := testkit.Inner(testkit.Open(t, gander.Options{Roots: []string{top}})).Narrow(roots...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = wide.Close() })
		return (*gander.Toolset)(wide)
	}
	toolset := testkit.Open(t, gander.Options{Roots: roots})
	if l.rename {
		for _, step := range [][2]string{{"w", "moved"}, {"other", "w"}} {
			if err := os.Rename(filepath.Join(top, step[0]), filepath.Join(top, step[1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	return toolset
}
