//go:build !unix

package mcpserver

import "math"

// maxHandles returns the maximum number of open files and connections of the process.
func maxHandles() int { return math.MaxInt32 }
