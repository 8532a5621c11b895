//go:build !unix

package mcphttp

import "math"

// maxHandles returns how many files and connections the process may have open.
func maxHandles() int { return math.MaxInt32 }
