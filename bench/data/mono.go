//go:build linux

package data

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A folder is a directory of a package, with its number of files.
type folder struct {
	path  string
	files int
}

// makeMono makes a tree of packages in ten groups. Each package has sources, tests and documents, and a build and installed
// modules, which its .gitignore excludes.
func makeMono(path string, packages int) error {
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	groups := [...]string{"apps", "clients", "cmd", "infra", "internal", "libs", "packages", "services", "tools", "web"}
	for _, g := range groups {
		if err := os.Mkdir(filepath.Join(path, g), 0o755); err != nil {
			return err
		}
	}
	for i := range packages {
		at := filepath.Join(path, groups[i%len(groups)], fmt.Sprintf("package-%04d", i/len(groups)))
		if err := makePackage(at, i); err != nil {
			return err
		}
	}
	return nil
}

func makePackage(path string, number int) error {
	for _, f := range plan(number) {
		if err := fill(filepath.Join(path, f.path), f.files); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(path, ".gitignore"), []byte("/build/\nnode_modules/\n*.log\n"), 0o644)
}

// plan returns the layout of a package: 46 or 47 directories, each after its parent. The numbers of files vary by package.
func plan(number int) []folder {
	folders := []folder{{"", 6}, {"src", 44}, {"test", 12}, {"docs", 18}, {"build", 8}, {"node_modules", 2}}
	for i := range 9 {
		at := fmt.Sprintf("src/module-%02d", i)
		folders = append(folders, folder{at, 31 + number%9}, folder{at + "/internal", 21}, folder{at + "/testdata", 34})
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

// fill makes the directory path with n empty files.
func fill(path string, n int) error {
	d, err := makeDir(path)
	if err != nil {
		return err
	}
	defer unix.Close(d)
	names := [...]string{"%c_handler_%d.go", "%cindex%d.ts", "%c-%d.md", "%cmodel%d_test.go", "%c_%d.log"}
	for i := range n {
		if err := touch(d, fmt.Sprintf(names[i%len(names)], 'a'+rune(i*7%26), i)); err != nil {
			return err
		}
	}
	return nil
}
