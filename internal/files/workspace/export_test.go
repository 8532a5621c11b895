package workspace

import (
	"math"
	"runtime"
	"testing"
)

// A testBackend is a backend that the tests run on.
type testBackend struct {
	name string
	backend
}

// testBackends returns the different backends that work on this platform.
func testBackends() []testBackend {
	native, root := testBackend{"native", openNative}, testBackend{"root", openRootDir}
	if runtime.GOOS != "linux" {
		return []testBackend{native}
	}
	return []testBackend{native, root}
}

// Backends returns the names of the backends for [OpenHooked].
func Backends() (names []string) {
	for _, b := range testBackends() {
		names = append(names, b.name)
	}
	return names
}

// OpenHooked opens a workspace on the backend called name, decorated with hook.
func OpenHooked(
	name string, hook func(call, name string) error, o Options, dirs ...string,
) (*Workspace, error) {
	b := openRootDir
	if name == "native" {
		b = openNative
	}
	w, err := open(native(), hooked(b, hook), o, dirs...)
	if w != nil {
		w.recheck = math.MaxInt64 // for reproducible calls
	}
	return w, err
}

// Must returns v. It panics if err is not nil.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// mustOpen opens the directories as a workspace for as long as t runs.
func mustOpen(t testing.TB, b backend, o Options, dirs ...string) *Workspace {
	return openAs(t, native(), b, o, dirs...)
}

// openAs is mustOpen with the path semantics of another system.
func openAs(t testing.TB, s pathSemantics, b backend, o Options, dirs ...string) *Workspace {
	w := Must(open(s, b, o, dirs...))
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// A hook is called with the name of each method of a backend before it. If it returns an error,
// the method fails with that error, as if the system had returned it.
type hook func(call, name string) error

// do calls the hook and then the method, unless the hook fails.
func do[T any](h hook, call, name string, method func(name string) (T, error)) (T, error) {
	if err := h(call, name); err != nil {
		var zero T
		return zero, bare(err)
	}
	return method(name)
}

// close closes the handle even if the hook fails, as the system does.
func (h hook) close(of handle) error {
	err := h("close", "")
	if closeErr := of.close(); err == nil {
		err = closeErr
	}
	return err
}

func (h hook) dir(d dirHandle, err error) (dirHandle, error) {
	if err != nil {
		return nil, err
	}
	return &hookedDir{d, h}, nil
}

func hooked(b backend, h hook) backend {
	return func(path string) (dirHandle, error) { return h.dir(do(h, "open", path, b)) }
}

// A hookedDir has hooks for the methods that the tested tools use.
type hookedDir struct {
	dirHandle
	hook hook
}

func (d *hookedDir) openPath(name string) (dirHandle, error) {
	return d.hook.dir(do(d.hook, "openPath", name, d.dirHandle.openPath))
}

func (d *hookedDir) openDir(name string) (dirHandle, error) {
	return d.hook.dir(do(d.hook, "openDir", name, d.dirHandle.openDir))
}

func (d *hookedDir) openFile(name string, kind EntryKind) (fileHandle, error) {
	return do(d.hook, "openFile", name, func(name string) (fileHandle, error) {
		f, err := d.dirHandle.openFile(name, kind)
		if err != nil {
			return nil, err
		}
		return hookedFile{f, d.hook}, nil
	})
}

func (d *hookedDir) lstat(name string) (Info, error) {
	return do(d.hook, "lstat", name, d.dirHandle.lstat)
}

func (d *hookedDir) readlink(name string) (string, error) {
	return do(d.hook, "readlink", name, d.dirHandle.readlink)
}

// names calls the hook before the first name and after the last.
func (d *hookedDir) names(
	buf []byte, arrived func() error, yield func([]byte, EntryKind) bool,
) error {
	if err := d.hook("names", ""); err != nil {
		return bare(err)
	}
	if err := d.dirHandle.names(buf, arrived, yield); err != nil {
		return err
	}
	return bare(d.hook("names end", ""))
}

func (d *hookedDir) close() error { return d.hook.close(d.dirHandle) }

type hookedFile struct {
	fileHandle
	hook hook
}

func (f hookedFile) pread(b []byte, off int64) (int, error) {
	return do(f.hook, "pread", "", func(string) (int, error) { return f.fileHandle.pread(b, off) })
}

func (f hookedFile) close() error { return f.hook.close(f.fileHandle) }

func (f hookedFile) version() version {
	if f.hook("version", "") != nil {
		return version{}
	}
	return f.fileHandle.version()
}
