package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gander/internal/shell"
	"gander/internal/tools/definition"
	"gander/tool"
)

// bash is shell/bash. The command line runs scripts with its shell, too.
type bash struct {
	definition.Defined
	*shell.Shell
	maxBytes int
}

// A request holds the valid arguments of a call.
type request struct {
	command, dir string
	limit        time.Duration // 0 if there is none
}

// largestSeconds is the largest timeout that is in seconds. A larger one is in milliseconds.
const largestSeconds = 600

func (t *bash) parse(raw json.RawMessage) (request, error) {
	a := t.Arguments(raw)
	a.Only("command", "cmd", "script", "workdir", "cwd", "dir_path", "timeout", "timeout_ms",
		"description", "justification", "restart", "run_in_background")
	command := a.OneOf("command", "cmd", "script")
	if !command.Given() {
		a.Required("command")
	}
	const longest = 24 * 60 * 60 * 1000 // milliseconds
	r := request{
		command: command.String(""),
		dir:     a.OneOf("workdir", "cwd", "dir_path").String(""),
		limit:   time.Duration(a.Optional("timeout_ms").Int(0, 0, longest)) * time.Millisecond,
	}
	timeout := time.Duration(a.Optional("timeout").Int(0, 0, longest))
	switch {
	case timeout > largestSeconds:
		r.limit = timeout * time.Millisecond
	case timeout > 0:
		r.limit = timeout * time.Second
	}
	if a.Optional("run_in_background").Bool(false) {
		a.Reject("run_in_background: nothing runs in the background here; leave it out")
	}
	return r, a.Err()
}

// Call runs a command.
func (t *bash) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parse(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	limited, cancel := withLimit(ctx, r.limit)
	defer cancel()
	const reserve = 1000 // bytes for the notes, except for very small results
	size := t.maxBytes
	if most, isLimited := c.Budget.Limit(); isLimited {
		size = min(size, most)
	}
	kept := &transcript{half: max(size-reserve, size/2) / 2}
	out, errOut := &stream{transcript: kept}, &stream{transcript: kept}
	start := time.Now()
	result := t.Run(limited, shell.Script{Text: r.command, Dir: r.dir, Out: out, Err: errOut})
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	out.close()
	errOut.close()
	text, isCut := kept.text()
	notes := notesOf(result, time.Since(start), text == "")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text = strings.TrimSuffix(text+strings.Join(notes, "\n"), "\n")
	if len(text) > size { // a small budget
		text = strings.ToValidUTF8(text[:size], "")
	}
	return tool.Result{
		Parts: tool.Text(text), Truncated: isCut,
		Unreadable: result.Denied+result.Unreadable > 0,
	}, nil
}

// withLimit returns a context for a script. It ends before ctx does, so that what there is by then
// can be returned.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		left -= min(left/5, 500*time.Millisecond)
		if limit == 0 || left < limit {
			limit = left
		}
	}
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// notesOf returns the last lines of a result.
func notesOf(r shell.Result, took time.Duration, isEmpty bool) []string {
	notes := r.Notes()
	isTimeout := errors.Is(r.Stopped, context.DeadlineExceeded)
	switch {
	case r.Refused != nil:
		return notes
	case isTimeout:
		notes = append(notes, fmt.Sprintf("[stopped at the time limit after %.1f s; the output is that "+
			"until then; narrow the command]", took.Seconds()))
	case r.Stopped == nil && r.Status != 0 && isEmpty:
		notes = append(notes, fmt.Sprintf("[no output; exit status %d]", r.Status))
	case r.Stopped == nil && r.Status != 0:
		notes = append(notes, fmt.Sprintf("[exit status %d]", r.Status))
	case isEmpty && len(notes) == 0:
		notes = append(notes, "[no output]")
	}
	return notes
}
