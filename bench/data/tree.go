//go:build linux

package data

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// makeFiles makes the directory path with n empty files.
func makeFiles(path string, n int) error {
	return fill(path, n, "file-%07d.go file-%07d.txt file-%07d.json file-%07d.c")
}

// fill makes the directory path with n empty files, whose names have the given forms in turns.
func fill(path string, n int, forms string) error {
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	d, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(d)
	names := strings.Fields(forms)
	for i := range n {
		name := fmt.Sprintf(names[i%len(names)], i)
		if err := unix.Mknodat(d, name, unix.S_IFREG|0o644, 0); err != nil {
			return &os.PathError{Op: "mknodat", Path: name, Err: err}
		}
	}
	return nil
}

func makeEndless(path string) error {
	const hole = 100 << 30
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte("\nend\n"), hole)
	return errors.Join(err, f.Close())
}

// makeMono makes a tree of packages in ten groups. Each package has sources, tests and documents,
// and a build and installed modules, which its .gitignore excludes.
func makeMono(path string, packages int) error {
	groups := strings.Fields("apps clients cmd infra internal libs packages services tools web")
	for _, g := range groups {
		if err := os.MkdirAll(filepath.Join(path, g), 0o755); err != nil {
			return err
		}
	}
	for i := range packages {
		at := filepath.Join(path, groups[i%len(groups)], fmt.Sprintf("package-%04d", i/len(groups)))
		for _, f := range plan(i) {
			const names = "handler_%d.go index%d.ts a-%d.md model%d_test.go z_%d.log"
			if err := fill(filepath.Join(at, f.path), f.files, names); err != nil {
				return err
			}
		}
		rules := []byte("/build/\nnode_modules/\n*.log\n")
		if err := os.WriteFile(filepath.Join(at, ".gitignore"), rules, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A folder is a directory of a package, with its number of files.
type folder struct {
	path  string
	files int
}

// plan returns the 46 or 47 directories of a package, each after its parent.
func plan(number int) []folder {
	folders := []folder{
		{"", 6}, {"src", 44}, {"test", 12}, {"docs", 18}, {"build", 8}, {"node_modules", 2},
	}
	for i := range 9 {
		at := fmt.Sprintf("src/module-%02d", i)
		folders = append(folders, folder{at, 31 + number%9}, folder{at + "/internal", 21},
			folder{at + "/testdata", 34})
	}
	for i := range 3 {
		folders = append(folders, folder{fmt.Sprintf("docs/chapter-%d", i), 25})
	}
	for i := range 5 {
		at := fmt.Sprintf("node_modules/module-%02d", i)
		folders = append(folders, folder{at, 5}, folder{at + "/dist", 11})
	}
	if number%8 != 0 {
		folders = append(folders, folder{"test/cases", 15 + number%11})
	}
	return folders
}
