//go:build !windows

package gander_test

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"path"

	"gander"
)

// The Markdown files of a workspace, the first two of them.
func ExampleToolset_List() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	o := gander.ListOptions{
		Order: gander.PathOrder,
		Depth: -1,
		Keep:  func(e gander.Entry) bool { return e.IsDir() || path.Ext(e.Path) == ".md" },
	}
	for e, err := range ts.List(context.Background(), ".", o) {
		if err != nil {
			log.Fatal(err)
		}
		if e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Path, e.Type(), info.Size())
	}
	// Output:
	// README.md ---------- 56
	// docs/2026.md ---------- 84
	// latest.md L--------- 12
}

// The workspace as a file system, for whatever takes one.
func ExampleToolset_FS() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	files, err := ts.FS(".")
	if err != nil {
		log.Fatal(err)
	}
	names, err := fs.Glob(files, "*/*.md")
	fmt.Println(names, err)
	data, err := fs.ReadFile(files, "latest.md")
	fmt.Printf("%.19s %v\n", data, err)
	_, err = fs.ReadFile(files, "../README.md")
	fmt.Println(err)
	// Output:
	// [docs/2026.md] <nil>
	// # Crossing in 2026
	//  <nil>
	// open ../README.md: invalid argument
}
