package workspace

import "golang.org/x/sys/unix"

// moreBackends returns the backend of the other Unix systems, which have no O_PATH and no getdents64.
func moreBackends() []testBackend {
	return []testBackend{{"openat", func(hook syscallHook) backend {
		return &openatBackend{hook: hook, traverse: unix.O_RDONLY, list: (*descriptor).readDir}
	}}}
}
