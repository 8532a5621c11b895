//go:build !unix

package workspace

const (
	nonBlocking     = 0
	directorySuffix = "" // Windows takes "." literally in some paths
)
