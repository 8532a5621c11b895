//go:build !unix

package workspace

import "os"

const (
	directoryOnly = 0
	nonBlocking   = 0
)

// plain returns f: its names come with their kinds.
func plain(_ gate, f *os.File) (*os.File, error) { return f, nil }
