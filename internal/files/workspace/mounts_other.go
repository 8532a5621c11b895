//go:build !(darwin || freebsd || linux)

package workspace

// mountedDevices reports false: this system's table of mounts is not known.
func mountedDevices() (map[string]string, bool) { return nil, false }
