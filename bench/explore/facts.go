//go:build linux

package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf16"
)

// prepare returns the directories of the repositories: Go's source, this project, a large JavaScript project, and one that is made.
func prepare(ctx context.Context, npm, temp string) (map[string]string, error) {
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	source, err := filepath.EvalSymlinks(filepath.Join(strings.TrimSpace(string(goroot)), "src"))
	if err != nil {
		return nil, err
	}
	self := filepath.Join(temp, "self")
	if out, err := exec.CommandContext(ctx, "git", "clone", "-q", ".", self).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	// outside of node_modules, which some tools leave out
	js := filepath.Join(temp, "three")
	if err := os.CopyFS(js, os.DirFS(filepath.Join(npm, "node_modules/three"))); err != nil {
		return nil, err
	}
	made := filepath.Join(temp, "made")
	return map[string]string{"go": source, "self": self, "js": js, "made": made}, make5000(made)
}

// make5000 makes a directory of 5,000 files and a few odd files. Three of them have changed last.
func make5000(root string) error {
	if err := errors.Join(os.MkdirAll(root+"/many", 0o700), os.MkdirAll(root+"/odd", 0o700)); err != nil {
		return err
	}
	files := map[string][]byte{"odd/empty.txt": nil, "odd/page.html": []byte("<p>\n"), "odd/archive.bin": make([]byte, 123_456)}
	for i := range 5000 {
		files[fmt.Sprintf("many/file-%04d.txt", i)] = fmt.Appendf(nil, "%d\n", i)
	}
	picture, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		return err
	}
	files["odd/picture.png"] = picture
	old := []byte("\xff\xfe")
	for _, unit := range utf16.Encode([]rune("grüße aus dem jahr 1999\n")) {
		old = append(old, byte(unit), byte(unit>>8))
	}
	files["odd/old.txt"] = old
	then := time.Now().Add(-time.Hour)
	for name, content := range files {
		at := then
		for i, last := range []string{"many/file-4711.txt", "odd/empty.txt", "odd/page.html"} {
			if name == last {
				at = then.Add(time.Duration(1+i) * time.Minute)
			}
		}
		path := filepath.Join(root, name)
		if err := errors.Join(os.WriteFile(path, content, 0o600), os.Chtimes(path, at, at)); err != nil {
			return err
		}
	}
	return nil
}

// facts are what is true of the repositories.
type facts struct{ repositories map[string]string }

func (f facts) read(repository, file string) []string {
	content, _ := os.ReadFile(filepath.Join(f.repositories[repository], file))
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

// lines returns lines of a file that are not blank.
func (f facts) lines(repository, file string, first, last int) (lines []string) {
	all := f.read(repository, file)
	for _, l := range all[min(first-1, len(all)):min(last, len(all))] {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

func (f facts) last(repository, file string, n int) []string {
	all := len(f.read(repository, file))
	return f.lines(repository, file, all-n+1, all)
}

// ends returns lines from everywhere in a file, and its last ones.
func (f facts) ends(repository, file string) []string {
	all := len(f.read(repository, file))
	lines := f.last(repository, file, 30)
	for n := 1; n < all; n += 100 {
		lines = append(lines, f.lines(repository, file, n, n)...)
	}
	return lines
}

// names returns the names in a directory.
func (f facts) names(repository, dir string) (names []string) {
	entries, _ := os.ReadDir(filepath.Join(f.repositories[repository], dir))
	for _, e := range entries {
		if e.Name() != ".git" {
			names = append(names, e.Name())
		}
	}
	return names
}

// files returns the files that contain a text.
func (f facts) files(repository, text, extension string) (files []string) {
	for path, n := range f.containing(repository, "", text) {
		if n > 0 && strings.HasSuffix(path, extension) {
			files = append(files, path)
		}
	}
	return files
}

// counts returns how many lines of each file contain a text, in the forms in which toolsets say so.
func (f facts) counts(repository, dir, text string) (counts []string) {
	for path, n := range f.containing(repository, dir, text) {
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d\t%s\x00%s:%d\x00File: %s", n, path, path, n, strings.TrimPrefix(path, dir+"/")))
		}
	}
	return counts
}

// containing returns how many lines of each file contain a text.
func (f facts) containing(repository, dir, text string) map[string]int {
	root, counts := f.repositories[repository], map[string]int{}
	_ = filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.Contains(path, "/.git/") {
			return err
		}
		content, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		for line := range strings.Lines(string(content)) {
			if strings.Contains(line, text) {
				counts[rel]++
			}
		}
		return err
	})
	return counts
}
