//go:build !linux

package workspace

import "os"

// openFile is an open file; here it cannot tell its version.
type openFile struct{ *os.File }
