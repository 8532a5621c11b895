package lines_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"gander/internal/files/lines"
)

func Example() {
	ctx := context.Background()
	file := strings.NewReader("if a {\n\tb()\n\n\tc()\n}\n")

	down := lines.New(file, lines.Options{Keep: 512})
	if err := down.Seek(ctx, 4); err == io.EOF {
		fmt.Println("the file has fewer than 4 lines")
	}
	up := lines.New(file, lines.Options{Keep: 512})
	up.Move(down.Position())

	for line, err := down.Next(ctx); err == nil; line, err = down.Next(ctx) {
		fmt.Printf("down to %d: %q\n", line.Number, line.Text)
	}
	for line, err := up.Prev(ctx); err == nil; line, err = up.Prev(ctx) {
		width, text, _ := up.Indent(ctx, line, 4)
		fmt.Printf("up to %d: %d columns, then %q\n", line.Number, width, text)
	}
	// Output:
	// down to 4: "\tc()"
	// down to 5: "}"
	// up to 3: 0 columns, then ""
	// up to 2: 4 columns, then "b()"
	// up to 1: 0 columns, then "if a {"
}
