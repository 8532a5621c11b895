//go:build unix

package vectors

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit/unprivileged"
	"gander/internal/toolset"
	"gander/tool"
)

// A Toolset is what a case needs of gander. Tools are called by their ids. [*gander.Toolset] implements it.
type Toolset interface {
	Lookup(name string) (toolset.Definition, error)
	Call(ctx context.Context, name string, c tool.Call) (tool.Result, error)
	Close() error
}

// A Wire is a Toolset that knows what the last call sent to an MCP client.
type Wire interface {
	Toolset
	// Sent returns content and structuredContent, which is empty if there was none, as JSON.
	Sent() (content, structured []byte)
}

// An Opener opens gander behind the interface under test: the Go API or a protocol. It ends the test if that fails.
type Opener func(t testing.TB, o gander.Options, c Config) Toolset

// An Interface is an interface under test, by the name of its subtests.
type Interface struct {
	Name string
	Open Opener
	// ClientRoots reports whether a client of the interface can have roots. Cases with such roots run only behind these.
	ClientRoots bool
}

// Run runs every case as a subtest named tool/case/interface, each with a toolset of its own, and checks the tools' definitions.
// Cases share fixtures, since tools only read. Cases that need permissions to bind run in a process of another user if
// permissions do not bind this one; that process starts the same test, so the files should be embedded.
func Run(t *testing.T, files []File, interfaces ...Interface) {
	bound := unprivileged.NewRunner(t)
	each := func(t *testing.T, clientRoots bool, test func(*testing.T, Opener)) {
		for _, i := range interfaces {
			if clientRoots && !i.ClientRoots {
				continue
			}
			t.Run(i.Name, func(t *testing.T) { test(t, i.Open) })
		}
	}
	for _, f := range files {
		if f.Definition != nil {
			t.Run(f.Tool+"/definition", func(t *testing.T) {
				each(t, false, func(t *testing.T, open Opener) { f.Definition.run(t, open, f.Tool) })
			})
		}
		built := fixtures{t: t, items: f.Fixtures, roots: make(map[string]string)}
		for _, c := range f.Cases {
			id := cmp.Or(c.Tool, f.Tool)
			t.Run(id+"/"+c.Name, func(t *testing.T) {
				body := func() {
					root, err := built.root(c.Fixture)
					if err != nil {
						t.Fatal(err)
					}
					each(t, c.Config.ClientRoots != nil, func(t *testing.T, open Opener) { c.run(t, open, id, root) })
				}
				if c.NeedsUnprivileged {
					bound.Run(t, body)
				} else {
					body()
				}
			})
		}
	}
}

// fixtures builds each fixture of a file when it is first needed. They are removed when the test ends.
type fixtures struct {
	t     testing.TB
	items map[string][]Item
	roots map[string]string
}

func (f fixtures) root(name string) (string, error) {
	if root, ok := f.roots[name]; ok {
		return root, nil
	}
	root, err := Build(f.t, f.items[name])
	if err == nil {
		f.roots[name] = root
	}
	return root, err
}

func (c Case) run(t *testing.T, open Opener, id, root string) {
	c, err := c.at(root)
	if err != nil {
		t.Fatal(err)
	}
	if c.Config.Home != "" {
		t.Setenv("HOME", c.Config.Home)
	}
	toolset := openFor(t, open, c.options(id, root), c.Config)
	call := tool.Call{Args: c.Args, Budget: c.budget()}
	result, err := toolset.Call(t.Context(), id, call)
	if err := c.Expect.check(result, err); err != nil {
		t.Errorf("%s of %s: %v", id, call.Args, err)
	}
	if w, ok := toolset.(Wire); ok {
		if err := c.Expect.checkSent(w.Sent()); err != nil {
			t.Errorf("%s of %s: %v", id, call.Args, err)
		}
	}
}

func (d *Definition) run(t *testing.T, open Opener, id string) {
	root, err := Build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := openFor(t, open, Case{}.options(id, root), Config{}).Lookup(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.check(spec.Spec); err != nil {
		t.Error(err)
	}
}

// openFor opens a toolset that is closed when the test ends.
func openFor(t *testing.T, open Opener, o gander.Options, c Config) Toolset {
	toolset := open(t, o, c)
	t.Cleanup(func() {
		if err := toolset.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return toolset
}

// options returns the options that all vectors run with, changed as the case's config says.
func (c Case) options(id, root string) gander.Options {
	first := root
	if c.Config.WorkspaceRoot != "" {
		first = c.Config.WorkspaceRoot
	}
	roots := append([]string{first}, c.Config.AdditionalWorkspaceDirs...)
	if strings.HasPrefix(id, "filesystem/") { // its server drops what is no directory
		roots = slices.DeleteFunc(roots, func(dir string) bool {
			fi, err := os.Stat(dir)
			return err != nil || !fi.IsDir()
		})
	}
	return gander.Options{
		Roots:         roots,
		Tools:         []string{id},
		NoDefaultDeny: true,
		Limits:        gander.Limits{MaxOutputBytes: -1, Timeout: -1},
		VerbatimNames: true,
		GeminiListDirectory: gander.GeminiListDirectoryOptions{
			NoGitIgnore:    isFalse(c.Config.RespectGitIgnore),
			NoGeminiIgnore: isFalse(c.Config.RespectGeminiIgnore),
		},
		ForgeListDirectory: c.Config.forge(),
	}
}

func (c Config) forge() gander.ForgeListDirectoryOptions {
	l := c.ListDirectory
	return gander.ForgeListDirectoryOptions{
		RelativeOnly:  isFalse(c.Sandbox.AllowAbsolute),
		MaxEntries:    l.MaxEntries,
		MaxDepth:      l.MaxDepth,
		IncludeHidden: l.IncludeHidden,
		IncludeOther:  l.IncludeOther,
		OmitFiles:     isFalse(l.IncludeFiles),
		OmitDirs:      isFalse(l.IncludeDirs),
		OmitSymlinks:  isFalse(l.IncludeSymlinks),
	}
}

// isFalse reports whether an option whose default is true is set to false.
func isFalse(b *bool) bool { return b != nil && !*b }

func (c Case) budget() tool.Budget {
	return tool.Budget{MaxOutputBytes: c.Config.MaxOutputBytes, AvailableBytes: c.Config.AvailableCapacityBytes}
}
