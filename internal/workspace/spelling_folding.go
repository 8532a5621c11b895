//go:build windows || darwin

package workspace

import "strings"

// fold returns the form in which two spellings of a name are the same: file systems here ignore case by default.
func fold(name string) string { return strings.ToLower(name) }
