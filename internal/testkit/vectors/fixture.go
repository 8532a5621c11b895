//go:build unix

package vectors

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An Item is an entry of a fixture, or, with the type "touch", a time that is set on one.
type Item struct {
	Path       string  `json:"path"`
	PathB64    []byte  `json:"path_b64"`
	Type       string  `json:"type"` // dir, file, symlink, fifo, touch
	Content    string  `json:"content"`
	ContentB64 []byte  `json:"content_b64"`
	Repeat     *Repeat `json:"repeat"`
	Target     string  `json:"target"`
	TargetB64  []byte  `json:"target_b64"`
	MtimeMS    *int64  `json:"mtime_ms"`
	NoFollow   bool    `json:"nofollow"`
	Mode       string  `json:"mode"`
}

// Repeat describes content: Text once for each number from From to To, with {n} replaced by the number.
type Repeat struct {
	Text string `json:"text"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// Build makes the items in a new directory and returns its absolute path, which contains no symlinks, has more than 20
// characters and is in no git repository. The directory is removed when the test ends, whatever the modes in it.
func Build(t testing.TB, items []Item) (root string, err error) {
	if root, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		return "", err
	}
	if len(root) <= 20 {
		return "", fmt.Errorf("the path of the temporary directory, %q, is not longer than 20 characters; set TMPDIR to another directory", root)
	}
	if err := outsideRepositories(root); err != nil {
		return "", err
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return "", err
	}
	t.Cleanup(func() {
		unlock(dir, items)
		_ = dir.Close()
	})
	for _, step := range []func(*os.Root, []Item) error{makeAll, setTimes, setModes} {
		err := step(dir, items)
		if errors.Is(err, unix.EILSEQ) || errors.Is(err, fs.ErrExist) && runtime.GOOS == "darwin" {
			t.Skipf("this file system does not tell these names apart, or has only names in UTF-8: %v", err)
		}
		if err != nil {
			return "", err
		}
	}
	return root, nil
}

func outsideRepositories(dir string) error {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the temporary directory is in the git repository %s (%v); set TMPDIR to a directory outside", dir, err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

func makeAll(dir *os.Root, items []Item) error {
	for _, item := range items {
		if err := item.make(dir); err != nil {
			return fmt.Errorf("item %q: %w", item.name(), err)
		}
	}
	return nil
}

func (i Item) name() string {
	if i.PathB64 != nil {
		return string(i.PathB64)
	}
	return i.Path
}

func (i Item) make(dir *os.Root) error {
	name := i.name()
	if i.Type == "touch" {
		if i.MtimeMS == nil {
			return errors.New("a touch item needs mtime_ms")
		}
		_, err := dir.Lstat(name)
		return err
	}
	if err := dir.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch i.Type {
	case "dir":
		return dir.MkdirAll(name, 0o755)
	case "file":
		return i.write(dir)
	case "symlink":
		return dir.Symlink(i.target(dir.Name()), name)
	case "fifo":
		return unix.Mkfifo(filepath.Join(dir.Name(), name), 0o644)
	default:
		return fmt.Errorf("the type %q is not one of dir, file, symlink, fifo and touch", i.Type)
	}
}

// write makes a new file. With O_EXCL a path that occurs twice is an error.
func (i Item) write(dir *os.Root) error {
	f, err := dir.OpenFile(i.name(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(i.content())
	return errors.Join(err, f.Close())
}

func (i Item) content() []byte {
	switch {
	case i.ContentB64 != nil:
		return i.ContentB64
	case i.Repeat != nil:
		var b bytes.Buffer
		for n := i.Repeat.From; n <= i.Repeat.To; n++ {
			b.WriteString(strings.ReplaceAll(i.Repeat.Text, "{n}", strconv.Itoa(n)))
		}
		return b.Bytes()
	default:
		return []byte(i.Content)
	}
}

func (i Item) target(root string) string {
	if i.TargetB64 != nil {
		return string(i.TargetB64)
	}
	return strings.ReplaceAll(i.Target, "${ROOT}", root)
}

// setTimes sets the times in order, after everything is made: making an entry changes the time of its directory.
func setTimes(dir *os.Root, items []Item) error {
	for _, item := range items {
		if item.MtimeMS == nil {
			continue
		}
		if err := item.setTime(dir, time.UnixMilli(*item.MtimeMS)); err != nil {
			return fmt.Errorf("time of %q: %w", item.name(), err)
		}
	}
	return nil
}

func (i Item) setTime(dir *os.Root, mtime time.Time) error {
	if !i.NoFollow {
		err := dir.Chtimes(i.name(), mtime, mtime)
		if err == nil || i.Type != "symlink" {
			return err
		}
		// A new link that leads nowhere, or out of the fixture, is given the time itself.
	}
	ts, err := unix.TimeToTimespec(mtime)
	if err != nil {
		return err
	}
	path := filepath.Join(dir.Name(), i.name())
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{ts, ts}, unix.AT_SYMLINK_NOFOLLOW)
}

// setModes sets the modes, the deepest first, because entries in a closed directory cannot be reached.
func setModes(dir *os.Root, items []Item) error {
	for _, item := range slices.Backward(withMode(items)) {
		mode, err := strconv.ParseUint(item.Mode, 8, 12)
		if err == nil {
			err = dir.Chmod(item.name(), fs.FileMode(mode&0o777))
		}
		if err == nil && mode > 0o777 { // os.Root knows no other bits
			err = unix.Chmod(filepath.Join(dir.Name(), item.name()), uint32(mode))
		}
		if err != nil {
			return fmt.Errorf("mode of %q: %w", item.name(), err)
		}
	}
	return nil
}

// unlock makes everything removable again. It ignores errors: they show when the directory is removed.
func unlock(dir *os.Root, items []Item) {
	for _, item := range withMode(items) {
		_ = dir.Chmod(item.name(), 0o700)
	}
}

// withMode returns the items that have a mode, the shallowest first.
func withMode(items []Item) []Item {
	var out []Item
	for _, item := range items {
		if item.Mode != "" {
			out = append(out, item)
		}
	}
	depth := func(i Item) int { return strings.Count(filepath.Clean(i.name()), "/") }
	slices.SortStableFunc(out, func(a, b Item) int { return cmp.Compare(depth(a), depth(b)) })
	return out
}
