//go:build !unix

package install

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: a file inherits its access control list from its directory.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
