// Command explore lists a directory, shows the first line of each file, and handles every kind of error.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"path/filepath"
	"time"

	"gander"
	"gander/tool"
)

func main() {
	flag.Usage = func() { fmt.Fprintln(flag.CommandLine.Output(), "usage: explore [DIR]") }
	flag.Parse()
	dir := "."
	if flag.NArg() > 0 {
		dir = flag.Arg(0)
	}
	files, err := gander.Open(gander.Options{
		Roots:   []string{dir},
		Sandbox: gander.Sandbox{Deny: []string{"cache"}},
		More:    []tool.Tool{broken{}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	ctx := context.Background()
	if err := show(ctx, files); err != nil {
		log.Fatal(explain(err))
	}
	fail(ctx, files)
}

// show lists the first root and prints the first line of every file.
func show(ctx context.Context, files *gander.Toolset) error {
	root := files.Roots()[0]
	for e, err := range files.List(ctx, ".", gander.ListOptions{Depth: 3, Limit: 100, Order: gander.DirectoriesFirst}) {
		switch {
		case e.Path == "":
			return err
		case err != nil:
			fmt.Printf("%s: %s\n", e.Path, explain(err))
		case e.IsDir():
			fmt.Printf("%s/\n", e.Path)
		case !e.Type().IsRegular():
			fmt.Printf("%s is neither a file nor a directory\n", e.Path)
		default:
			args, err := json.Marshal(map[string]any{"file_path": filepath.Join(root, e.Path), "limit": 1})
			if err != nil {
				return err
			}
			result, err := files.Call(ctx, "codex/read_file", tool.Call{Args: args})
			if err != nil {
				return err
			}
			fmt.Printf("%s begins with %s\n", e.Path, result.Text())
		}
	}
	return nil
}

// fail makes calls that fail, one for each kind of error.
func fail(ctx context.Context, files *gander.Toolset) {
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	late, cancel := context.WithDeadline(ctx, time.Now())
	defer cancel()
	tiny := 10
	for _, attempt := range []struct {
		ctx    context.Context
		tool   string
		args   string
		budget tool.Budget
	}{
		{ctx: ctx, tool: "tree", args: `{}`},
		{ctx: ctx, tool: "tree", args: `{"path": "../.."}`},
		{ctx: ctx, tool: "tree", args: `{"path": "cache"}`},
		{ctx: ctx, tool: "tree", args: `{"path": "attic"}`},
		{ctx: ctx, tool: "tree", args: `{"path": "README.md"}`},
		{ctx: ctx, tool: "tree", args: `{"path": "."}`, budget: tool.Budget{MaxOutputBytes: &tiny}},
		{ctx: cancelled, tool: "tree", args: `{"path": "."}`},
		{ctx: late, tool: "tree", args: `{"path": "."}`},
		{ctx: ctx, tool: "break"},
		{ctx: ctx, tool: "rake"},
	} {
		_, err := files.Call(attempt.ctx, attempt.tool, tool.Call{Args: []byte(attempt.args), Budget: attempt.budget})
		fmt.Printf("%s %s: %s\n", attempt.tool, attempt.args, explain(err))
	}
}

// explain returns what to do about an error of a call or a listing.
func explain(err error) string {
	switch {
	case errors.Is(err, tool.ErrUnknownTool):
		return "there is no such tool"
	case errors.Is(err, tool.ErrOutside):
		return "the model should stay inside"
	case errors.Is(err, fs.ErrPermission):
		return "the model should leave this alone"
	case errors.Is(err, fs.ErrNotExist):
		return "the model should look for it elsewhere"
	case errors.Is(err, context.Canceled):
		return "nobody waits for it any more"
	case errors.Is(err, context.DeadlineExceeded):
		return "the model should ask for less at a time"
	}
	var e *tool.Error
	if !errors.As(err, &e) {
		return "not an error of a call: " + err.Error()
	}
	switch e.Kind {
	case tool.BadArguments:
		return "the model should correct its arguments: " + e.Message
	case tool.NotDirectory:
		return "the model should read it instead"
	case tool.Failed:
		return "it could not be done: " + e.Message
	default: // tool.Internal
		return "somebody should look at the log: " + e.Message
	}
}

// broken is a tool of this program that panics.
type broken struct{}

func (broken) Spec() tool.Spec {
	return tool.Spec{ID: "own/break", Name: "break", Description: "Breaks.", Input: json.RawMessage(`{"type":"object"}`)}
}

func (broken) Call(context.Context, tool.Call) (tool.Result, error) { panic("broken") }
