//go:build !unix

package audit

import "os"

const nonBlocking = 0

// lock does nothing: lines of two processes are whole, but both rotate the file.
func lock(*os.File) error { return nil }
