//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
)

// steps contains the path components used by FuzzAgainstKernel. Most exist in its fixture.
const steps = "a b f up here abs root loop gone pipe deep far 1 40 41 none . .. "

// FuzzAgainstKernel compares a workspace whose root is / with the operating system. Both must find
// the same file or fail with the same error.
func FuzzAgainstKernel(f *testing.F) {
	words := strings.Split(steps, " ") // the last is empty: two slashes, or one at the end
	seed := func(path string) {
		var b []byte
		for _, s := range strings.Split(path, "/") {
			b = append(b, byte(slices.Index(words, s)))
		}
		f.Add(b)
	}
	for _, path := range []string{
		"a/f", "a/f/", "a/f/..", "up/b", "here/here/../a", "abs/f/.", "abs/", "root/..", "loop", "loop/",
		"gone/..", "pipe/", "pipe/..", "deep/../b",
		"far/../../a", "1/1", "40/f", "41/f", "none/..", "a/.././a//f", "a/up/a/up/a/40/..",
		"b/far/deep/f", "..", "40/../40", "a/up/a/up/../f", "deep/../../b", "abs/../b/f", "abs/up/..",
		"none/../f", "here/here/none/..", "gone/f", "a/b/40/f", "a/none/../f",
	} {
		seed(path)
	}
	entries := []string{
		"a/f", "a/b/f", "a/up => ../..", "b/f", "b/far => ../a/b/../../up", "b/deep => {root}/a/b", "f",
		"up => .", "here => ./here/../a", "abs => {root}/a",
		"root => {root}", "loop => loop", "gone => none/x", "pipe|", "deep => a/b/",
		"far => ../../../../../../../../{root}/b/./", "a/b/40 => ../../40",
	}
	entries = append(entries, linkChain("", "a", 41)...)
	entries = append(entries, linkChain("b", "f", 41)...)
	root := fixture.Make(f, entries...)
	workspaces := map[string]*Workspace{}
	for _, b := range testBackends() {
		workspaces[b.name] = mustOpen(f, b.backend, Options{}, "/")
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		path := root
		for _, c := range choices[:min(len(choices), 200)] {
			path += "/" + words[int(c)%len(words)]
		}
		for backend, w := range workspaces {
			for name, method := range map[string]struct {
				ours func(*Workspace, string) (string, error)
				real func(string) (string, error)
			}{
				"Stat":  {lookStat, func(p string) (string, error) { return kindBy(os.Stat, p) }},
				"Lstat": {lookLstat, func(p string) (string, error) { return kindBy(os.Lstat, p) }},
				"File":  {lookFile, readFile},
				"Dir":   {lookNames, readDir},
			} {
				var problem string
				for range 10 { // other processes may change entries above the fixture
					got, err := method.ours(w, path)
					want, wantErr := method.real(path)
					if got == want && word(known(err)) == word(known(wantErr)) {
						problem = ""
						break
					}
					problem = fmt.Sprintf("got %q, %v; the system returns %q, %v", got, err, want, wantErr)
				}
				if problem != "" {
					t.Errorf("%s: %s of %s: %s", backend, name, path, problem)
				}
			}
		}
	})
}

// known converts an error of the system to an error of this package.
func known(err error) error {
	if errors.Is(err, syscall.EISDIR) {
		return ErrIsDirectory
	}
	return bare(err)
}

func kindBy(stat func(string) (fs.FileInfo, error), path string) (string, error) {
	info, err := stat(path)
	if err != nil {
		return "", err
	}
	return []string{"unknown", "file", "dir", "link", "other"}[kindOf(info.Mode())], nil
}

// readFile is [os.ReadFile] restricted to regular files.
func readFile(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().Type()&^fs.ModeDir != 0 {
		return "", ErrNotRegular
	}
	content, err := os.ReadFile(path)
	return string(content), err
}

func lookNames(w *Workspace, path string) (string, error) {
	d, err := find(w, path)
	if err != nil {
		return "", err
	}
	defer d.Close()
	names, err := namesOf(d)
	return strings.Join(names, " "), err
}

func readDir(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return "", ErrNotDirectory // before a FIFO is opened
	}
	entries, err := os.ReadDir(path)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name()+marks[kindOf(e.Type())])
	}
	slices.Sort(names)
	return strings.Join(names, " "), err
}
