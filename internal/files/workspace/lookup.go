package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// maxNamesRead is the maximum number of names read before a path reads another directory.
const maxNamesRead = 1 << 20

// canonicalName returns the name of the entry that name denotes. If the system might open an entry
// with another name, it is the listed one, which deny patterns are matched with.
func (r *resolver) canonicalName(name string) (string, error) {
	switch r.w.classOf(name, r.root, r.rel, r.dir) {
	case invalidName:
		return "", fs.ErrNotExist
	case ambiguousName:
		return r.lookUp(name)
	default:
		return name, nil
	}
}

// classOf returns the class of a name in the directory dir, which is at rel below root.
func (w *Workspace) classOf(name string, root *root, rel string, dir dirHandle) nameClass {
	class := w.semantics.classify(name, rel == "." && root.real() == "/")
	if class == ordinaryName && w.isForeign(name) && dir.mayFold() {
		return ambiguousName
	}
	return class
}

// isForeign reports whether a file system may open an entry of another name for an ordinary name if
// it follows the rules of another system.
func (w *Workspace) isForeign(name string) bool {
	return !w.deny.coversASCII || windowsSemantics.classify(name, false) != ordinaryName
}

// lookUp finds the entry called name, or else one whose name folds to the same.
func (r *resolver) lookUp(name string) (string, error) {
	if r.namesRead > maxNamesRead {
		return "", syscall.ENAMETOOLONG
	}
	semantics := r.w.semantics
	if semantics == exactSemantics { // whether the case matters depends on the file system
		semantics = darwinSemantics
		if _, err := r.dir.lstat(name); err != nil {
			return "", err
		}
	}
	handle, err := r.dir.openDir(".")
	if err != nil {
		return "", err
	}
	d := Dir{w: r.w, root: r.root, rel: r.rel, handle: handle, checked: time.Now()}
	defer d.Release()
	found, folded := "", semantics.fold(name)
	err = d.Names(r.ctx, func(entry []byte, _ EntryKind) bool {
		r.namesRead++
		switch {
		case string(entry) == name:
			found = name
			return false
		case found == "" && semantics.fold(string(entry)) == folded:
			found = string(entry)
		}
		return true
	})
	if err == nil && found == "" {
		err = fs.ErrNotExist
	}
	return found, err
}
