//go:build !windows && !darwin

package workspace

// fold returns the form in which two spellings of a name are the same: here every spelling is its own.
func fold(name string) string { return name }
