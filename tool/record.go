package tool

import (
	"context"
	"time"
)

// A Client is who makes a call. The zero Client is a program that calls a tool itself, or the
// client of a server on standard input and output.
type Client struct {
	Token   string `json:"token,omitempty"`   // the name of its token
	Session string `json:"session,omitempty"` // the ID of its session
	Address string `json:"address,omitempty"` // the IP address, also behind a trusted proxy
}

type clientKey struct{}

// WithClient returns a context for calls by a client.
func WithClient(ctx context.Context, c Client) context.Context {
	return context.WithValue(ctx, clientKey{}, c)
}

// ClientOf returns the client of a call, given its context.
func ClientOf(ctx context.Context) Client {
	c, _ := ctx.Value(clientKey{}).(Client)
	return c
}

// A Record is what a call did. It has no content of files. The paths of Opened, and those of
// Refused, have at most 256 KiB together.
type Record struct {
	Time      time.Time     `json:"time"`              // the beginning of the call
	Duration  time.Duration `json:"duration_ns"`       // with waiting
	Client    Client        `json:"client"`            // who made it
	Tool      string        `json:"tool"`              // its ID
	Arguments string        `json:"arguments"`         // at most 1,000 bytes
	Error     Kind          `json:"error,omitempty"`   // the kind of the error, if the call failed
	Returned  int           `json:"returned"`          // bytes of the result
	Opened    []Opened      `json:"opened,omitempty"`  // in order, at most 1,000
	Refused   []Refused     `json:"refused,omitempty"` // in order, at most 1,000
	Omitted   int           `json:"omitted,omitempty"` // opened or refused beyond that
}

// An Opened is a file or a directory that a call opened.
type Opened struct {
	Path      string `json:"path"`                // absolute, without symlinks
	Directory bool   `json:"directory,omitempty"` // it is no file
	// Bytes counts what was read of a file: at most the size of the part that was read, however often.
	Bytes int64 `json:"bytes"`
}

// A Refused is a path that a call did not open.
type Refused struct {
	Path    string `json:"path"`              // absolute
	Pattern string `json:"pattern,omitempty"` // that denies it; empty for a path outside
}
