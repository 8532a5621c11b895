//go:build !windows

package gander_test

import (
	"context"
	"fmt"
	"log"

	"gander"
)

// The lines that match, with their files.
func ExampleToolset_Search() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for r, err := range ts.Search(context.Background(), ".", `\bwater\b`, gander.SearchOptions{Before: 1}) {
		if err != nil {
			log.Fatal(err)
		}
		if r.Line.Number == 0 {
			fmt.Println(r.Path)
			continue
		}
		fmt.Printf("%d %v %q\n", r.Line.Number, r.Line.Context, r.Line.Text)
	}
	// Output:
	// docs/2026.md
	// 2 true ""
	// 3 false "Two hours on either side of low water, and not a minute longer."
	// tide/causeway.py
	// 4 true "class Causeway:"
	// 5 false "    # Open for two hours on either side of low water."
}

// Files by their names, without a directory.
func ExampleToolset_Find() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	o := gander.FindOptions{Pattern: "*.{md,py}", OnlyFiles: true, Files: gander.Files{Globs: []string{"!docs/"}}}
	for e, err := range ts.Find(context.Background(), ".", o) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Path)
	}
	// Output:
	// README.md
	// tide/causeway.py
}
