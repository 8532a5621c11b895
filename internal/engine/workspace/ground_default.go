//go:build !linux

package workspace

// system is the ground of this platform.
func system(path string) (node, error) { return systemBehind(nil)(path) }

func systemBehind(g gate) ground { return portableBehind(g) }
