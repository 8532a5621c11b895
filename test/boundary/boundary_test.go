// Package boundary checks that nothing outside the workspace, and nothing denied, is reached.
package boundary

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
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
	secretSize = 48611         // size of a hidden file, in bytes; no other file has it
	secretTime = 1234567890123 // its modification time, in milliseconds
)

// hide writes a file that leak recognizes by its content, size and time. The content begins with
// first.
func hide(t testing.TB, path, first string) {
	t.Helper()
	content := first + strings.Repeat("HIDDEN\n", secretSize/7+1)
	testkit.Must(t, os.WriteFile(path, []byte(content[:secretSize]), 0o600))
	testkit.Must(t, os.Chtimes(path, time.UnixMilli(secretTime), time.UnixMilli(secretTime)))
}

// leak returns the trace of a hidden file in output, or "". It ignores known, the strings sent by
// the caller, whose names an error may repeat.
func leak(output string, known ...string) string {
	for _, k := range known {
		output = strings.ReplaceAll(output, k, "")
	}
	for _, trace := range []string{
		"HIDDEN", "SECRET", strconv.Itoa(secretSize), strconv.FormatInt(secretTime, 10),
	} {
		sent := func(k string) bool { return strings.Contains(k, trace) }
		if strings.Contains(output, trace) && !slices.ContainsFunc(known, sent) {
			return trace
		}
	}
	return ""
}

// An outcome is the outcome of using a path.
type outcome struct {
	text    string    // everything that the result or error contains
	kind    tool.Kind // of the error, if any
	refused bool      // an error, or a description of an unopened entry
}

// use uses a path with a tool, with its most revealing arguments, or with a method of the toolset.
func use(t *testing.T, ts *gander.Toolset, id, path string) outcome {
	t.Helper()
	p := testkit.PathTools()[id]
	args := p.Arguments(path)
	switch id {
	case "Sub":
		_, err := ts.Sub(path)
		failure, _ := errors.AsType[*tool.Error](err)
		return describe(id, path, tool.Result{}, failure)
	case "Why":
		answer, err := testkit.Inner(ts).Why(t.Context(), path)
		return outcome{text: fmt.Sprint(answer, err), refused: true}
	case "filesystem/read_multiple_files":
		args = object{"paths": []string{path}}
	}
	result, failure := testkit.Call(t, ts, id, args)
	return describe(id, path, result, failure)
}

func describe(id, path string, result tool.Result, failure *tool.Error) outcome {
	if failure != nil {
		text := fmt.Sprintf(
			"%s | %s | %s | %s", failure.Kind, failure.Code, failure.Message, failure.Display)
		return outcome{text, failure.Kind, true}
	}
	text := result.Text()
	refused := id == "filesystem/read_multiple_files" && strings.HasPrefix(text, path+": Error - ")
	for _, description := range []string{
		": a link that cannot be followed: ", ": a FIFO, socket or device", "denied by pattern ",
	} {
		refused = refused || id == "gander/list_dir" && strings.Contains(text, description)
	}
	return outcome{text: text + " | " + result.Display, refused: refused}
}

// tools returns the ids of all tools that take a path.
func tools() []string { return slices.Sorted(maps.Keys(testkit.PathTools())) }

// isLexical reports whether a tool resolves ".." lexically and takes a NUL for outside, as the
// official filesystem server does.
func isLexical(id string) bool { return strings.HasPrefix(id, "filesystem/") }

// isNative reports whether a tool is one of gander's own. Their errors repeat names of the path.
func isNative(id string) bool { return strings.HasPrefix(id, "gander/") }

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

// makeTop makes the entries and the outsiders. Files named SECRET or key.txt are hidden.
func makeTop(t *testing.T, entries []string) (top string) {
	t.Helper()
	outside := []string{"out", "w_evil", "w-backup", "wx"}
	if runtime.GOOS == "linux" {
		outside = append(outside, "W")
	}
	all := []string{"w/in/f", "w/f", "v/g", "other/OTHER"}
	for _, dir := range outside {
		all = append(all, dir+"/x-dir/SECRET")
		if runtime.GOOS != "windows" {
			all = append(all, dir+"/x-pipe|", dir+"/x-shut/SECRET", dir+"/x-shut/ 0000",
				dir+"/x-away => /etc", dir+"/x-loop => x-loop")
		}
	}
	for _, entry := range entries {
		names := []string{""}
		if strings.Contains(entry, "{x}") {
			names = outsiders()
		}
		for _, x := range names {
			all = append(all, strings.ReplaceAll(entry, "{x}", x))
		}
	}
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "{top}", "{root}")
	}
	top = filepath.ToSlash(fixture.Make(t, all...))
	_ = os.Symlink("w", top+"/lnk") // for one of the layouts
	for _, dir := range outside {
		hide(t, top+"/"+dir+"/x-file", "")
	}
	for _, entry := range all {
		if path.Base(entry) == "SECRET" && !strings.Contains(entry, "x-shut") {
			hide(t, top+"/"+entry, "")
		} else if entry == "w/key.txt" { // whose name, size and time are listed
			testkit.Must(t, os.WriteFile(top+"/"+entry, []byte("HIDDEN"), 0o600))
		}
	}
	return top
}

func (l layout) open(t *testing.T, top string, deny ...string) *gander.Toolset {
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
		wide := testkit.Open(t, gander.Options{Roots: []string{top}, Deny: deny})
		narrow, err := testkit.Inner(wide).Narrow(roots, nil)
		testkit.Must(t, err)
		t.Cleanup(func() { _ = narrow.Close() })
		return (*gander.Toolset)(narrow)
	}
	toolset := testkit.Open(t, gander.Options{Roots: roots, Deny: deny})
	l.changeRoot(t, top)
	return toolset
}

// changeRoot replaces the root by another directory, if the layout does.
func (l layout) changeRoot(t *testing.T, top string) {
	t.Helper()
	if l.rename {
		testkit.Must(t, os.Rename(top+"/w", top+"/moved"))
		testkit.Must(t, os.Rename(top+"/other", top+"/w"))
	}
}
