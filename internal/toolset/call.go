package toolset

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"gander/internal/admission"
	"gander/internal/files/text"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// maxErrorBytes is the maximum size of an error message. Messages can repeat arguments.
const maxErrorBytes = 16 << 10

var errClosed = &tool.Error{
	Kind: tool.Failed, Message: "the toolset is closed; open another", Err: tool.ErrClosed,
}

// A Publisher is a Tool with a published error format. PublishError modifies each error before the
// caller receives it, including policy errors, timeouts and panics.
type Publisher interface {
	PublishError(*tool.Error)
}

// Call calls the tool with the given name; see [Toolset.Lookup]. Any error is a [*tool.Error]. Call
// returns shortly after ctx is done or the timeout expires, even if the tool does not return.
func (t *Toolset) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	start := time.Now()
	var result tool.Result
	trailed, record := t.startRecord(ctx, start)
	e, err := t.entryOf(name)
	if err == nil {
		name = e.id
		result, err = t.call(trailed, e, c)
		err = cmp.Or(record(name, c, result, err), err)
		err = e.published(err)
	}
	if err != nil {
		failure := asError(err)
		failure.Message = printable(failure.Message)
		failure.Display = printable(failure.Display)
		result, err = tool.Result{}, failure
	}
	t.log(ctx, name, time.Since(start), result.Truncated, err)
	return result, err
}

// call makes a call of a tool, without its record. A panic of what runs is an error.
func (t *Toolset) call(
	ctx context.Context, e *entry, c tool.Call,
) (result tool.Result, err error) {
	defer recoverTo(&err)
	if t.closed.Load() {
		return tool.Result{}, errClosed
	}
	c.Budget.MaxOutputBytes = lower(c.Budget.MaxOutputBytes, t.options.MaxOutputBytes)
	c.Budget.MaxDataBytes = lower(c.Budget.MaxDataBytes, t.options.MaxDataBytes)
	result, err = e.handler(ctx, c)
	if t.closed.Load() { // the result can be wrong, because the workspace was closed during the call
		return tool.Result{}, errClosed
	}
	if err == nil {
		err = checkResult(result, c.Budget)
	}
	return result, err
}

// published returns an error of a call as the tool publishes it. If the error is nil, so is the
// result.
func (e *entry) published(failure error) (err error) {
	publisher, ok := e.tool.(Publisher)
	if failure == nil || !ok {
		return failure
	}
	defer recoverTo(&err)
	changed := asError(failure)
	publisher.PublishError(changed)
	return changed
}

// entryOf returns the tool with the given name, or a [*tool.Error].
func (t *Toolset) entryOf(name string) (*entry, error) {
	e, err := find(t.entries, name)
	if err != nil {
		return nil, &tool.Error{Kind: tool.BadArguments, Message: err.Error(), Err: err}
	}
	return e, nil
}

// lower returns the lower of the limit of a call and that of the options, own. Of the first, nil is
// no limit, and of the second 0.
func lower(limit *int, own int) *int {
	isLower := limit == nil || own < *limit
	switch {
	case own > 0 && isLower:
		return &own
	case limit != nil:
		return new(max(*limit, 0))
	default:
		return nil
	}
}

// limited returns the innermost handler of a tool, which calls it with the limits of t.
func (t *Toolset) limited(called tool.Tool) tool.Handler {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		return withLimits(ctx, t, func(ctx context.Context) (tool.Result, error) {
			return called.Call(ctx, c)
		})
	}
}

// withLimits runs f with the limits of t on concurrent calls, memory and time. Any error is a
// [*tool.Error].
func withLimits[T any](
	ctx context.Context, t *Toolset, f func(context.Context) (T, error),
) (T, error) {
	result, err := admission.Run(ctx, t.options.Control, t.options.Timeout,
		func(ctx context.Context) (result T, err error) {
			defer recoverTo(&err)
			return f(ctx)
		})
	if err != nil {
		err = asError(err)
	}
	return result, err
}

// recoverTo converts a panic to an error with the stack trace. It must be deferred in each
// goroutine that runs the code of others: the middleware and the approver run in the caller's, a
// tool in its own.
func recoverTo(err *error) {
	if p := recover(); p != nil {
		*err = &tool.Error{
			Kind:    tool.Internal,
			Message: "internal error; the call was given up",
			Err:     fmt.Errorf("panic: %v\n%s", p, debug.Stack()),
		}
	}
}

// checkResult returns an error if a result exceeds its budget or is not valid UTF-8.
func checkResult(result tool.Result, b tool.Budget) error {
	text, data := 0, 0
	for _, p := range result.Parts {
		if !utf8.ValidString(p.Text) {
			return errors.New("the content is not UTF-8")
		}
		text += len(p.Text)
		data += len(p.Data)
	}
	limit, isLimited := b.Limit()
	switch {
	case isLimited && text > limit:
		return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(
			"the output limit of %d bytes is too small for the answer; raise it or ask for less", limit)}
	case b.MaxDataBytes != nil && data > *b.MaxDataBytes:
		return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(
			"the answer has %d bytes of data, and the limit is %d; raise limits.max_data_bytes",
			data, *b.MaxDataBytes)}
	default:
		return nil
	}
}

// asError converts err to a [*tool.Error]. The result is always a new value, because a [Publisher]
// modifies it.
func asError(err error) *tool.Error {
	if e, ok := errors.AsType[*tool.Error](err); ok {
		if e == nil { // its methods would panic
			return &tool.Error{
				Kind: tool.Internal, Message: "internal error: the tool failed and did not say why",
			}
		}
		own := *e
		return &own
	}
	if refused, ok := errors.AsType[admission.Error](err); ok {
		if refused == admission.ErrBusy {
			err = tool.ErrBusy
		}
		return &tool.Error{Kind: tool.Failed, Message: refused.Error(), Err: err}
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &tool.Error{
			Kind: tool.Timeout, Err: err,
			Message: "the call took longer than its time limit; ask for less, or raise the limit",
		}
	case errors.Is(err, context.Canceled):
		return &tool.Error{Kind: tool.Cancelled, Message: "the call was cancelled", Err: err}
	case errors.Is(err, tool.ErrOutside):
		return &tool.Error{Kind: tool.Outside, Message: err.Error(), Err: err}
	}
	if toolerror.Cause(err) != nil {
		return &tool.Error{Kind: toolerror.KindOf(err), Message: err.Error(), Err: err}
	}
	return &tool.Error{Kind: tool.Internal, Message: "internal error: " + err.Error(), Err: err}
}

// printable returns the text of an error as the caller may print it: with control characters and
// invisible ones escaped, whoever has written it, and cut to maxErrorBytes.
func printable(message string) string {
	if len(message) > maxErrorBytes {
		end := fmt.Sprintf("... (%d bytes in all)", len(message))
		message = strings.ToValidUTF8(message[:maxErrorBytes-len(end)], "") + end
	}
	return text.EscapeLines(message)
}

// log writes the record of a call. Errors of a caller have level Info, bugs of a tool Error, and
// other errors, which interest an operator, Warn.
func (t *Toolset) log(ctx context.Context, name string, d time.Duration, cut bool, err error) {
	if t.options.Logger == nil {
		return
	}
	level, outcome, message, cause := slog.LevelInfo, "ok", slog.Attr{}, slog.Attr{}
	if failure, ok := err.(*tool.Error); ok {
		outcome, message = string(failure.Kind), slog.String("error", failure.Message)
		switch failure.Kind {
		case tool.Internal:
			level = slog.LevelError
			if failure.Err != nil {
				cause = slog.Any("cause", failure.Err) // with the stack of a panic
			}
		case tool.Outside, tool.Denied, tool.Failed, tool.Timeout:
			level = slog.LevelWarn
		}
	}
	t.options.Logger.LogAttrs(ctx, level, "tool call",
		slog.String("tool", name),
		slog.String("outcome", outcome),
		slog.Duration("duration", d),
		slog.Bool("truncated", cut),
		message, cause, // handlers omit an empty attribute
	)
}

// Use calls f with the tool of a name instead of calling the tool, for a caller that needs more of
// it than a result. The middleware and the policy apply. The use takes no slot, has no time limit,
// and is neither logged nor passed to Audit. Any error is a [*tool.Error].
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
