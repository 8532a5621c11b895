package tool

import (
	"context"
	"log/slog"
	"time"

	"gander/internal/meter"
)

// A Record tells what became of one call.
type Record struct {
	// Name is the tool's name as the caller wrote it.
	Name string
	// Tool is zero where no tool has that name.
	Tool Spec
	// Call is the call with its effective budget.
	Call Call
	// Start is when the call came, by the registry's clock.
	Start time.Time
	// Duration is how long it took, by the same clock, including approval, middleware and waiting for other calls.
	Duration time.Duration
	// Root is the root directory that the call has read in, "" if it has read nothing.
	Root string
	// Entries is how many directory entries the call has read, shown or not.
	Entries int
	// Bytes is how many bytes of file contents the call has read.
	Bytes int64
	// Result is the answer. It is zero if Err is set.
	Result Result
	// Err is the error of a call that failed, nil otherwise.
	Err *Error
}

// Outcome returns "ok", or the kind of the error.
func (r Record) Outcome() string {
	if r.Err != nil {
		return string(r.Err.Kind)
	}
	return "ok"
}

// Count adds directory entries and bytes of files to the record of the call that ctx belongs to. Tools of embedding programs
// may use it; gander's own tools are counted already. Outside of calls it does nothing.
func Count(ctx context.Context, entries int, bytes int64) { meter.From(ctx).Add(entries, bytes) }

// Watch returns a context, and a function that returns how much the calls made with that context have read so far. The
// function may be called while the calls run and afterwards.
func Watch(ctx context.Context) (context.Context, func() (entries int, bytes int64)) {
	ctx, m := meter.Watch(ctx)
	return ctx, func() (int, int64) {
		_, entries, bytes := m.Totals()
		return entries, bytes
	}
}

// report logs the record and hands it to the observer.
func (o RegistryOptions) report(ctx context.Context, r Record) {
	if o.Logger != nil {
		o.Logger.LogAttrs(ctx, r.level(), "tool call", r.attributes()...)
	}
	if o.Observe != nil {
		o.Observe(ctx, r)
	}
}

// level returns Info for success and mistakes of the caller, Warn for what an operator should know, and Error for a fault in
// a tool.
func (r Record) level() slog.Level {
	if r.Err == nil {
		return slog.LevelInfo
	}
	switch r.Err.Kind {
	case Internal:
		return slog.LevelError
	case Outside, Denied, Failed, Timeout:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

func (r Record) attributes() []slog.Attr {
	id := r.Tool.ID
	if id == "" {
		id = r.Name
	}
	attributes := []slog.Attr{
		slog.String("tool", id),
		slog.String("outcome", r.Outcome()),
		slog.Duration("duration", r.Duration),
		slog.String("root", r.Root),
		slog.Int("entries", r.Entries),
		slog.Int64("bytes", r.Bytes),
		slog.Bool("truncated", r.Result.Truncated),
	}
	if r.Err != nil {
		attributes = append(attributes, slog.String("error", r.Err.Message))
	}
	return attributes
}
