package workspace

import "math"

// A testBackend is a backend that the tests run on.
type testBackend struct {
	name string
	make func(syscallHook) backend
}

// testBackends returns the native backend and all others that work on this platform.
func testBackends() []testBackend {
	return append([]testBackend{
		{"native", nativeBackend},
		{"root", func(hook syscallHook) backend { return &rootBackend{hook} }},
	}, moreBackends()...)
}

// Backends returns the names of the backends that [OpenHooked] knows.
func Backends() []string {
	var names []string
	for _, b := range testBackends() {
		names = append(names, b.name)
	}
	return names
}

// OpenHooked opens a workspace on the backend called name. Before every system call it calls hook.
func OpenHooked(name string, hook func(call string) error, o Options, dirs ...string) (*Workspace, error) {
	for _, b := range testBackends() {
		if b.name == name {
			w, err := open(native, b.make(hook), o, dirs...)
			if w != nil {
				w.recheck = math.MaxInt64 // so that the system calls are always the same
			}
			return w, err
		}
	}
	panic("no backend is called " + name)
}
