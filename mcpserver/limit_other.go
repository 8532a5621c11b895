//go:build !unix

package mcpserver

// connectionLimit returns the maximum number of open connections. The system does not limit them.
func connectionLimit() int { return maxConnections }
