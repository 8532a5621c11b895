package toolset

import (
	"context"
	"encoding/json"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/plain"
	"gander/tool"
)

// A Printer is a tool whose results commands print.
type Printer interface {
	// Print prints the results about each path for another program, or about the path among the
	// arguments if there are no paths. Unlike that one, they need not be UTF-8. It passes the error
	// of a path to out.
	Print(
		ctx context.Context, arguments json.RawMessage, paths []string, out *plain.Output,
	) (plain.Summary, error)
	// Highlight colors the result of a call for a terminal.
	Highlight(ctx context.Context, arguments json.RawMessage, result string) string
}

// Print prints the results of a tool that is a [Printer] for another program. The middleware and
// the policy apply. The size of the results and the total time are not limited, but no single
// operation on the file system may take longer than the timeout. The call takes no slot and is not
// logged. Any error is a [*tool.Error]. That the results could not be written is none; see
// [plain.Output.Err].
func (t *Toolset) Print(
	ctx context.Context, name string, arguments json.RawMessage, paths []string, out *plain.Output,
) (result plain.Summary, err error) {
	defer recoverTo(&err)
	e, err := t.entryOf(name)
	if err != nil {
		return plain.Summary{}, err
	}
	printer, ok := e.tool.(Printer)
	if !ok {
		return plain.Summary{}, &tool.Error{
			Kind: tool.Failed, Message: e.id + " prints no results for other programs; call it instead",
		}
	}
	var summary plain.Summary
	handler := t.guard(e.def.Spec, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		return tool.Result{}, t.unlessNoProgress(ctx, func(ctx context.Context) (err error) {
			summary, err = printer.Print(ctx, c.Args, paths, out)
			return err
		})
	})
	_, err = handler(ctx, tool.Call{Args: arguments})
	if err != nil { // what prints can still be running, and write the summary
		return plain.Summary{}, asError(err)
	}
	return summary, nil
}

// Highlight colors the result of a call for a terminal, if the tool is a [Printer].
func (t *Toolset) Highlight(
	ctx context.Context, name string, arguments json.RawMessage, result string,
) string {
	e, err := find(t.entries, name)
	if err != nil {
		return result
	}
	if printer, ok := e.tool.(Printer); ok {
		return printer.Highlight(ctx, arguments, result)
	}
	return result
}

// errNoProgress is the error of results that wait for the file system.
var errNoProgress = &tool.Error{
	Kind: tool.Timeout, Err: context.DeadlineExceeded,
	Message: "an operation on the file system takes longer than the time limit; check the disk or " +
		"the " +
		"network, or raise limits.timeout",
}

// unlessNoProgress runs f. It gives up when an operation on the file system takes longer than the
// timeout, and then cancels the context of f, which can still be running. Time during which this
// process was stopped does not count.
func (t *Toolset) unlessNoProgress(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer recoverTo(&err)
		err = f(ctx)
	}()
	const checks = 20              // within the timeout
	var checkTime <-chan time.Time // nil without a timeout
	if t.options.Timeout > 0 {
		ticker := time.NewTicker(max(t.options.Timeout/checks, time.Millisecond))
		defer ticker.Stop()
		checkTime = ticker.C
	}
	var last int64 // the progress at the last check
	for withoutProgress := 0; withoutProgress < checks; {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-checkTime:
		}
		progress, running := t.workspace.Activity().Progress()
		if running && progress == last {
			withoutProgress++
		} else {
			withoutProgress = 0
		}
		last = progress
	}
	return errNoProgress
}

// Activity returns the counters of operations on the files of t.
func (t *Toolset) Activity() *workspace.Activity { return t.workspace.Activity() }

// Use calls f with a tool, as the tool is called: the middleware and the policy apply. The call
// takes no slot, has no time limit and is not logged. Any error is a [*tool.Error].
func (t *Toolset) Use(
	ctx context.Context, name string, arguments json.RawMessage,
	f func(context.Context, tool.Tool) error,
) (err error) {
	defer recoverTo(&err)
	e, err := t.entryOf(name)
	if err != nil {
		return err
	}
	handler := t.guard(e.def.Spec, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		return tool.Result{}, f(ctx, e.tool)
	})
	if _, err := handler(ctx, tool.Call{Args: arguments}); err != nil {
		return asError(err)
	}
	return nil
}
