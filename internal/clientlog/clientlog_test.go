package clientlog

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimit checks that the loggers derived from a limited one share its limit.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		limited := Limit(slog.New(slog.NewTextHandler(&log, nil)))
		for _, want := range []int{100, 110} {
			for range 100 {
				limited.Info("a")
				limited.With("key", "value").Info("b")
				limited.WithGroup("group").Info("c", "key", "value")
			}
			if lines := strings.Count(log.String(), "\n"); lines != want {
				t.Errorf("%d lines, want %d", lines, want)
			}
			time.Sleep(10 * time.Second)
		}
		for _, want := range []string{"msg=a\n", "msg=b key=value\n", "msg=c group.key=value\n"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no %q", want)
			}
		}
	})
}

// A panicking handler panics with each message, and counts them.
type panicking struct {
	slog.Handler
	messages *int
}

func (p panicking) Handle(context.Context, slog.Record) error {
	*p.messages++
	panic("no disk")
}

// TestPanic checks that a handler that panics neither ends the process nor delays a request.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		messages := 0
		limited := Limit(slog.New(panicking{slog.NewTextHandler(io.Discard, nil), &messages}))
		start := time.Now()
		limited.Info("a")
		limited.Info("b")
		if took := time.Since(start); messages != 2 || took != 0 {
			t.Errorf("%d messages in %v, want 2 in 0s", messages, took)
		}
	})
}

// TestNoLogger checks that messages without a logger are lost.
func TestNoLogger(t *testing.T) {
	limited := Limit(nil)
	limited.Error("lost")
	if limited.Enabled(t.Context(), slog.LevelError) {
		t.Error("errors are logged")
	}
}
