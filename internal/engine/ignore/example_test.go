package ignore_test

import (
	"context"
	"fmt"

	"gander/internal/engine/ignore"
)

func ExampleStack_In() {
	var stack *ignore.Stack
	stack = stack.Push(ignore.Parse(".gitignore", "", []byte("*.log\nbuild/\n")))
	stack = stack.Push(ignore.Parse("src/.gitignore", "src", []byte("!keep.log\n")))

	src := stack.In(context.Background(), "src")
	for _, name := range []string{"a.go", "a.log", "keep.log"} {
		m := src.Match(name, false)
		fmt.Printf("%s ignored=%v by %q\n", name, m.Verdict == ignore.Ignore, m)
	}
	fmt.Println(stack.Match("build/keep.log", false))
	// Output:
	// a.go ignored=false by ""
	// a.log ignored=true by ".gitignore:1:*.log"
	// keep.log ignored=false by "src/.gitignore:1:!keep.log"
	// .gitignore:2:build/
}
