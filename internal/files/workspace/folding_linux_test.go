package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"gander/internal/testkit/fixture"
)

// mountAt mounts a new file system of a type, in which names can fold, at a directory.
func mountAt(dir, kind string) error {
	if kind == "tmpfs" {
		return unix.Mount("tmpfs", dir, "tmpfs", 0, "casefold")
	}
	image := dir + ".image"
	if err := os.WriteFile(image, make([]byte, 16<<20), 0o600); err != nil {
		return err
	}
	commands := [][]string{{"mkfs.ext4", "-q", "-O", "casefold", image}}
	options := "loop"
	if kind == "vfat" {
		commands[0], options = []string{"mkfs.vfat", image}, "loop,utf8"
	}
	commands = append(commands, []string{"mount", "-t", kind, "-o", options, image, dir})
	for _, c := range commands {
		if output, err := exec.Command(c[0], c[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", c[0], err, output)
		}
	}
	return nil
}

// foldingDirectory returns an empty directory in which the kernel folds names, on a new file system
// of a type. It skips the test if the machine cannot make one.
func foldingDirectory(t *testing.T, kind string) string {
	t.Helper()
	mounted := filepath.Join(t.TempDir(), "mounted")
	must(t, os.Mkdir(mounted, 0o700))
	if err := mountAt(mounted, kind); err != nil {
		t.Skip("no such file system can be mounted: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(mounted, unix.MNT_DETACH) })
	dir := filepath.Join(mounted, "w")
	must(t, os.Mkdir(dir, 0o700))
	if kind != "vfat" {
		d := Must(os.Open(dir))
		defer d.Close()
		must(t, unix.IoctlSetPointerInt(int(d.Fd()), unix.FS_IOC_SETFLAGS, caseFold))
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestCaseFold checks that no spelling of a denied name that the kernel accepts opens it, and that
// other entries are found as the kernel finds them.
func TestCaseFold(t *testing.T) {
	unicode := []string{
		".en\u00adv", ".pgpa\u00df", ".kube/con\ufb01g", ".\u00dfh/github", ".ENV", ".K\u00adube/CONFIG",
		".\u017fsh/github", "\u200b.env",
	}
	for kind, spellings := range map[string][]string{
		"tmpfs": unicode, "ext4": unicode,
		"vfat": {".ENV", ".env.", "PGPASS~1", "KUBE~1/config", ".kube./CONFIG..", "ssh~1/github"},
	} {
		t.Run(kind, func(t *testing.T) {
			root := foldingDirectory(t, kind)
			fixture.Write(t, root, map[string]string{
				".env": "", ".pgpass": "", ".kube/config": "", ".ssh/github": "",
				"caf\u00e9/Gr\u00f6\u00dfe": "it",
			})
			w := mustOpen(t, openNative, Options{DefaultDeny: true}, root)
			for _, name := range spellings {
				if _, err := os.Stat(filepath.Join(root, name)); err != nil {
					t.Errorf("the kernel does not find %q: %v", name, err)
				}
				_, err := lookFile(w, name)
				if !errors.Is(err, ErrDenied) && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%q: %v", name, err)
				}
			}
			for _, name := range []string{
				"caf\u00e9/Gr\u00f6\u00dfe", "CAF\u00c9/GR\u00d6\u00dfe", "cafe\u0301/gro\u0308\u00dfe",
			} {
				want := "it"
				if _, err := os.Stat(filepath.Join(root, name)); err != nil {
					want = "!missing"
				}
				if got := readAt(w, name); got != want {
					t.Errorf("%q: %s, want %s", name, got, want)
				}
			}
		})
	}
}

// TestFileSystemsThatMayFold checks that no file system counts as one without folding if it can be
// made to fold.
func TestFileSystemsThatMayFold(t *testing.T) {
	for name, kind := range map[string]int64{
		"FAT": unix.MSDOS_SUPER_MAGIC, "NFS": unix.NFS_SUPER_MAGIC, "XFS": unix.XFS_SUPER_MAGIC,
	} {
		if slices.Contains(neverFolding, kind) {
			t.Errorf("%s is said never to fold", name)
		}
	}
}

// TestFoldingAsked checks that a directory of a file system without folding is known for one, so
// that its names need not be listed.
func TestFoldingAsked(t *testing.T) {
	for _, dir := range []string{t.TempDir(), "/proc", "/sys", "/dev/shm"} {
		d, err := openNative(dir)
		if err != nil {
			continue
		}
		defer d.close()
		var stat unix.Statfs_t
		must(t, unix.Statfs(dir, &stat))
		known := slices.Contains(slices.Concat(neverFolding, foldingByDirectory), int64(stat.Type))
		if known && d.mayFold() {
			t.Errorf("%s may fold", dir)
		}
	}
}
