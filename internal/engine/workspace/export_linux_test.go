package workspace

import (
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// SettleAfter makes w trust a version so soon after the last change.
func SettleAfter(w *Workspace, age time.Duration) {
	w.cache.now = func() time.Time { return time.Now().Add(stableAge - age) }
}

// Remembers reports whether w remembers anything under a name that begins so.
func Remembers(w *Workspace, what string) bool {
	w.cache.mu.Lock()
	defer w.cache.mu.Unlock()
	for key := range w.cache.items {
		if strings.HasPrefix(key.what, what) {
			return true
		}
	}
	return false
}

// Keeps reports of what the file system at path keeps versions.
func Keeps(path string) (directories, files bool) {
	var fs unix.Statfs_t
	err := unix.Statfs(path, &fs)
	return err == nil && keepsDirectories(int64(fs.Type)), err == nil && keepsFiles(int64(fs.Type))
}
