package workspace

import (
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// SettleAfter sets the minimum age of a stable version to age.
func SettleAfter(w *Workspace, age time.Duration) {
	w.cache.now = func() time.Time { return time.Now().Add(stableAge - age) }
}

// HasCached reports whether w has cached a value with a name that starts with what.
func HasCached(w *Workspace, what string) bool {
	w.cache.mu.Lock()
	defer w.cache.mu.Unlock()
	for key := range w.cache.items {
		if strings.HasPrefix(key.what, what) {
			return true
		}
	}
	return false
}

// Keeps reports whether the file system at path keeps versions of directories and of files.
func Keeps(path string) (directories, files bool) {
	var fs unix.Statfs_t
	err := unix.Statfs(path, &fs)
	return err == nil && keepsDirectories(int64(fs.Type)), err == nil && keepsFiles(int64(fs.Type))
}
