//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestInvalidNames checks that names with a special meaning on Windows and macOS never reach the
// system. They are ordinary names on the system that runs the test.
func TestInvalidNames(t *testing.T) {
	for _, tt := range []struct {
		semantics pathSemantics
		names     string
	}{
		{
			windowsSemantics,
			"CON,nul.txt,aux.c,COM1 ,COM\u00b9,f.txt:s,.git::$INDEX_ALLOCATION,C:f,name.,name ,...,a*",
		},
		{darwinSemantics, "..namedfork,..NAMEDFORK"},
	} {
		for name := range strings.SplitSeq(tt.names, ",") {
			root := fixture.Make(
				t, "w/f", "w/"+name+"/f", "w/d/"+name, "w/link => "+name, "w/tolink => d/"+name,
			)
			record := func(call, touched string) error {
				if call != "open" && strings.Contains(touched, name) {
					t.Errorf("%s is called for %q", call, touched)
				}
				return nil
			}
			w := openAs(t, tt.semantics, hooked(openNative, record), Options{}, root+"/w")
			for _, path := range []string{
				name, name + "/f", "d/" + name, "d/../" + name + "/.", "link", "link/f", "tolink",
			} {
				for method, look := range map[string]func(*Workspace, string) (string, error){
					"File": lookFile, "Dir": lookDir, "Stat": lookStat,
				} {
					want := "!missing"
					if strings.HasPrefix(path, name) && !tt.semantics.isRelative(path) ||
						!tt.semantics.isRelative(name) && strings.HasPrefix(path, "link") {
						want = "!outside"
					}
					if _, err := look(w, path); word(err) != want {
						t.Errorf("%s of %q: %v, want %s", method, path, err, want)
					}
				}
			}
		}
	}
}

// TestAmbiguousNames checks that an ambiguous name is found only if the directory lists it, and
// that deny patterns are matched with the listed name.
func TestAmbiguousNames(t *testing.T) {
	root := fixture.Make(
		t, "w/real~1", "w/\u212aey/f", "w/caf\u00e9", "w/d/.ssh/id", "w/d/\u017f", "w/d/S",
		"w/.\u017fsh/id", "w/link => REAL~1",
	)
	for _, tt := range []struct {
		semantics pathSemantics
		looks     string
	}{
		{windowsSemantics, `
			real~1 = w/real~1, REAL~1 = w/real~1, link = w/real~1 @, progra~1 = !missing,
			d/ssh~1/id = !missing, KEY/f = w/Key/f, d/.ſsh/id = !denied, .ſsh/id = !denied,
			d/ſ = w/d/ſ, d/.s` + "\u200c" + `sh/id = !missing, d/.ßh/id = !missing, café = !missing
		`},
		{darwinSemantics, `café = w/café, d/.ſsh/id = !denied, d/.s` + "\u200c" + `sh/id = !missing`},
		{exactSemantics, `café = !missing, REAL~1 = !missing, .ſsh/id = !denied`},
	} {
		o := Options{Deny: []string{"**/.ssh/**"}}
		w := openAs(t, tt.semantics, openNative, o, root+"/w")
		checkLooks(t, w, root, tt.looks)
	}
}

// TestAmbiguousNamesUnlisted checks that ambiguous names are not found in a directory that may not
// be listed.
func TestAmbiguousNamesUnlisted(t *testing.T) {
	root := fixture.Make(t, "w/a~1")
	refusing := hooked(openNative, func(call, _ string) error {
		if call == "openDir" {
			return fs.ErrPermission
		}
		return nil
	})
	w := openAs(t, windowsSemantics, refusing, Options{}, root+"/w")
	checkFiles(t, w, map[error][]string{fs.ErrPermission: {"a~1", "b~1"}})
}

// A foldingDir is a directory of a file system that ignores case and some characters, such as the
// default ones of macOS and Windows.
type foldingDir struct {
	dirHandle
	path string
}

func openFolding(path string) (dirHandle, error) {
	d, err := openNative(path)
	return foldingDir{d, path}, err
}

// onDisk returns the name of the entry that the file system opens for name.
func (d foldingDir) onDisk(name string) string {
	ignored := strings.NewReplacer(
		"\u200c", "", "\u00ad", "", "\u00df", "ss", "\u017f", "s", "\ufb01", "fi",
	)
	fold := func(s string) string {
		return strings.ToUpper(ignored.Replace(strings.TrimRight(s, ". ")))
	}
	if name == "." || name == "SSH~1" {
		return map[string]string{".": ".", "SSH~1": ".ssh"}[name]
	}
	entries, _ := os.ReadDir(d.path)
	for _, e := range entries {
		if fold(e.Name()) == fold(name) {
			return e.Name()
		}
	}
	return name
}

func (d foldingDir) openPath(name string) (dirHandle, error) {
	name = d.onDisk(name)
	sub, err := d.dirHandle.openPath(name)
	return foldingDir{sub, d.path + "/" + name}, err
}

func (d foldingDir) openDir(name string) (dirHandle, error) {
	name = d.onDisk(name)
	sub, err := d.dirHandle.openDir(name)
	return foldingDir{sub, d.path + "/" + name}, err
}

func (d foldingDir) openFile(name string, kind EntryKind) (fileHandle, error) {
	return d.dirHandle.openFile(d.onDisk(name), kind)
}

func (d foldingDir) mayFold() bool { return true }

func (d foldingDir) lstat(name string) (Info, error) { return d.dirHandle.lstat(d.onDisk(name)) }

func (d foldingDir) readlink(name string) (string, error) {
	return d.dirHandle.readlink(d.onDisk(name))
}

// TestFoldingFileSystem covers CVE-2025-59944 and CVE-2014-9390. On a file system that opens an
// entry under several spellings, none opens a denied entry.
func TestFoldingFileSystem(t *testing.T) {
	root := fixture.Make(
		t, "w/.ssh/id", "w/.Env", "w/Node_Modules/f", "w/d/key.pem", "w/link => .SSH", "w/Free",
		"w/.kube/config", "w/.pgpass", "w/fol\u00dfe => .\u00dfh", "w/Stra\u00dfe", "w/gro\u00df/f",
	)
	deny := []string{
		"**/.ssh/**", "**/.env", "NODE_modules", "**/*.PEM", "**/.kube/config", "**/.pgpass",
	}
	paths := []string{
		".ssh/id", ".SSH/ID", ".Ssh/id", ".\u017fsh/id", "link/id", "LINK/ID", ".env", ".ENV", ".Env",
		"node_modules/f", "NODE_MODULES/F", "d/KEY.PEM", "D/Key.Pem", "d/../D/key.pem",
		".\u00dfh/id", ".s\u200csh/id", ".en\u00adv", ".pgpa\u00df", ".kube/con\ufb01g",
		".KUBE/CON\ufb01G", "fol\u00dfe/id", "link/\u00adid", ".ssh\u00ad/../.\u00dfh/id",
		".ssh./id", ".ssh /id", "SSH~1/id", ".env.", "d/key.pem ",
	}
	for _, semantics := range []pathSemantics{exactSemantics, darwinSemantics, windowsSemantics} {
		w := openAs(t, semantics, openFolding, Options{Deny: deny}, root+"/w")
		for _, path := range paths {
			content, err := lookFile(w, path)
			if !errors.Is(err, ErrDenied) && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("semantics %d: %q: read %q, %v", semantics, path, content, err)
			}
		}
		checkLooks(t, w, root, `
			free = w/Free, FREE = w/Free, straße = w/Straße, STRAßE = w/Straße, gross/f = w/groß/f
		`)
		// An ASCII name can be another spelling of one that is not.
		for _, pattern := range []string{"gro\u00df", "gro?", "gro[!s]"} {
			w := openAs(t, semantics, openFolding, Options{Deny: []string{pattern}}, root+"/w")
			for _, path := range []string{"gross/f", "GROSS/f", "gro\u00df/f", "GRO\u00df/f"} {
				if got := readAt(w, path); got != "!denied" && got != "!missing" {
					t.Errorf("semantics %d, denied is %s: %q: %s", semantics, pattern, path, got)
				}
			}
		}
	}
}

// TestFoldingRoot checks that a pattern below a root holds for all spellings of the root's own
// path, which another root may contain.
func TestFoldingRoot(t *testing.T) {
	root := fixture.Make(t, "srv/wei\u00df/docs/secret", "srv/wei\u00df/docs/f")
	o := Options{Deny: []string{"docs/secret"}}
	for _, semantics := range []pathSemantics{exactSemantics, darwinSemantics, windowsSemantics} {
		w := openAs(t, semantics, openFolding, o, root+"/srv", root+"/srv/wei\u00df")
		for path, want := range map[string]string{
			"wei\u00df/docs/secret": "!denied", "wei\u00df/docs/f": "srv/wei\u00df/docs/f",
			"weiss/docs/secret": "!missing", "WEISS/docs/secret": "!missing",
		} {
			if got := readAt(w, path); got != want {
				t.Errorf("semantics %d: %s: %s, want %s", semantics, path, got, want)
			}
		}
	}
}

// TestAmbiguousNamesAreBounded checks that a path cannot make a wide directory be listed for long.
func TestAmbiguousNamesAreBounded(t *testing.T) {
	var entries []string
	for i := range 4000 {
		entries = append(entries, fmt.Sprintf("w/%d", i))
	}
	root := fixture.Make(t, append(entries, "w/caf\u00e9/", "w/f")...)
	w := openAs(t, darwinSemantics, openNative, Options{}, root+"/w")
	const listing = "cafe\u0301/../"
	checkFiles(t, w, map[error][]string{
		nil:                  {strings.Repeat(listing, 10) + "f"},
		syscall.ENAMETOOLONG: {strings.Repeat(listing, 400) + "f"},
	})
}

// TestAmbiguousNamesEnd checks that the search for a name ends with the context of the call.
func TestAmbiguousNamesEnd(t *testing.T) {
	root := fixture.Make(t, "w/caf\u00e9")
	ctx, cancel := context.WithCancel(t.Context())
	cancelling := hooked(openNative, func(call, _ string) error {
		if call == "names" {
			cancel()
		}
		return nil
	})
	w := openAs(t, darwinSemantics, cancelling, Options{}, root+"/w")
	if _, err := Must(w.Find(ctx, "caf\u00e9")).File(); !errors.Is(err, context.Canceled) {
		t.Errorf("the call has ended: %v", err)
	}
}
