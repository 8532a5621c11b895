package tool

import (
	"context"
	"log/slog"
	"time"

	"gander/internal/meter"
)

// A Record is the account of one call.
type Record struct {
	// Name is the tool's name as the caller wrote it.
	Name string
	// Tool is zero where no tool has that name.
	Tool Spec
	// Call is the call with its effective budget.
	Call Call
	// Start is when the call came, by the registry's clock.
	Start time.Time
	// Duration is how long it took, by the same clock: approval, waiting for a turn and middleware included.
	Duration time.Duration
	// Root is the root directory that the call has read in, "" where it has read nothing.
	Root string
	// Entries is how many entries of directories the call has read, whether shown or not.
	Entries int
	// Bytes is how many bytes of files the call has read.
	Bytes int64
	// Result is the answer; it is zero where Err is set. Result.Truncated says whether there was more to tell.
	Result Result
	// Err is what the call failed with, nil where it was answered.
	Err *Error
}

// Outcome returns "ok", or the kind of error that the call failed with.
func (r Record) Outcome() string {
	if r.Err != nil {
		return string(r.Err.Kind)
	}
	return "ok"
}

// Count adds to the record of the call that ctx belongs to what a tool of one's own has read: entries of directories and
// bytes of files. gander's own tools need no help.
func Count(ctx context.Context, entries int, bytes int64) { meter.From(ctx).Add(entries, bytes) }

// Watch returns a context, and what tells how much the calls made with it have read so far, while they run and
// afterwards.
func Watch(ctx context.Context) (context.Context, func() (entries int, bytes int64)) {
	ctx, m := meter.Watch(ctx)
	return ctx, func() (int, int64) {
		_, entries, bytes := m.Totals()
		return entries, bytes
	}
}

// tell logs the record and shows it to the observer.
func (o RegistryOptions) tell(ctx context.Context, r Record) {
	if o.Logger != nil {
		o.Logger.LogAttrs(ctx, r.level(), "tool call", r.attributes()...)
	}
	if o.Observe != nil {
		o.Observe(ctx, r)
	}
}

// level is Info for what a caller may well run into, Warn for what an operator should know, Error for a fault in a tool.
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
