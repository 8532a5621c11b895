// Command search prints all lines that [gander.Toolset.Search] finds, as ripgrep does. The tools answer with pages, which do less
// work than a search of everything.
//
//	search WORKERS ROOT PATH PATTERN
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"

	"gander"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("%d arguments; the usage is: search WORKERS ROOT PATH PATTERN", len(args))
	}
	workers, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	ts, err := gander.Open(gander.Options{Roots: []string{args[1]}})
	if err != nil {
		return err
	}
	defer ts.Close()
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	for r, err := range ts.Search(context.Background(), args[2], args[3], gander.SearchOptions{Workers: workers}) {
		switch {
		case err != nil:
			return err
		case r.Line.Number == 0:
			fmt.Fprintf(out, "%s\n", r.Path)
		default:
			// Flush returns the errors of all writes.
			_, _ = out.Write(append(strconv.AppendInt(out.AvailableBuffer(), int64(r.Line.Number), 10), ':'))
			_, _ = out.Write(r.Line.Text)
			_ = out.WriteByte('\n')
		}
	}
	return out.Flush()
}
