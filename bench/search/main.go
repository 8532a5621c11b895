// Command search prints all matching lines, like rg -n. The tools return pages, which take less
// work. It prints /proc/self/status to standard error, for its memory.
//
//	search WORKERS ROOT PATH PATTERN
//
// WORKERS is the maximum number of goroutines that help; 0 is the default of the tools.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("%d arguments; the usage is: search WORKERS ROOT PATH PATTERN", len(args))
	}
	workers, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	w, err := workspace.Open(workspace.Options{}, args[1])
	if err != nil {
		return err
	}
	defer w.Close()
	start, err := w.Find(ctx, args[2])
	if err != nil {
		return err
	}
	m, err := match.Compile(ctx, args[3], match.Options{})
	if err != nil {
		return err
	}
	o := search.Options{Workers: workers}
	o.Scope.Ignore = ignore.Options{Git: true, Tools: search.ToolIgnoreFiles()}
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	for r, err := range search.Search(ctx, w, start, m, o) {
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
	status, err := os.ReadFile("/proc/self/status")
	_, _ = os.Stderr.Write(status)
	return errors.Join(out.Flush(), err)
}
