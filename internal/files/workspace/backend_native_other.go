//go:build !linux

package workspace

func openNative(path string) (dirHandle, error) { return openRootDir(path) }
