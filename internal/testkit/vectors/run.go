//go:build unix

package vectors

import (
	"context"
	"testing"

	"gander"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// A Toolset is gander as a case uses it. Tools are called by their ids. [*gander.Toolset] is one.
type Toolset interface {
	Lookup(name string) (tool.Spec, error)
	Call(ctx context.Context, name string, c tool.Call) (tool.Result, error)
	Close() error
}

// A Face opens gander in the way that is under test. It fails t where that does not succeed.
type Face func(t testing.TB, o gander.Options) Toolset

// Run runs every case of the files through the face, each as a subtest tool/case with a toolset of its own, and holds
// the tools to the definitions given. Cases of one fixture share it, since the tools only read. Where permissions do
// not bind this process, the cases that need them run in a process of another user, which starts this test anew: the
// files should be embedded rather than read from a folder that only this user may enter.
func Run(t *testing.T, face Face, files []File) {
	bound := unprivileged.NewRunner(t)
	for _, f := range files {
		if f.Definition != nil {
			t.Run(f.Tool+"/definition", func(t *testing.T) { f.Definition.run(t, face, f.Tool) })
		}
		built := fixtures{t: t, items: f.Fixtures, roots: make(map[string]string)}
		for _, c := range f.Cases {
			t.Run(f.Tool+"/"+c.Name, func(t *testing.T) {
				body := func() {
					root, err := built.root(c.Fixture)
					if err != nil {
						t.Fatal(err)
					}
					c.run(t, face, f.Tool, root)
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

// fixtures builds the fixtures of a file when they are first asked for. They last until t ends.
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

func (c Case) run(t *testing.T, face Face, id, root string) {
	c, err := c.at(root)
	if err != nil {
		t.Fatal(err)
	}
	toolset := open(t, face, c.options(id, root))
	call := tool.Call{Args: c.Args, Budget: c.budget()}
	result, err := toolset.Call(t.Context(), id, call)
	if err := c.Expect.judge(result, err); err != nil {
		t.Errorf("%s of %s: %v", id, call.Args, err)
	}
	if err == nil {
		if err := validate(id, result, call.Budget); err != nil {
			t.Errorf("%s of %s: %v", id, call.Args, err)
		}
	}
}

func (d *Definition) run(t *testing.T, face Face, id string) {
	root, err := Build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := open(t, face, Case{}.options(id, root)).Lookup(id)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.judge(spec); err != nil {
		t.Error(err)
	}
}

// open opens the face for as long as t runs.
func open(t *testing.T, face Face, o gander.Options) Toolset {
	toolset := face(t, o)
	t.Cleanup(func() {
		if err := toolset.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return toolset
}

// options returns what all vectors run with, changed as the case's config says.
func (c Case) options(id, root string) gander.Options {
	first := root
	if c.Config.WorkspaceRoot != "" {
		first = c.Config.WorkspaceRoot
	}
	return gander.Options{
		Roots: append([]string{first}, c.Config.AdditionalWorkspaceDirs...),
		Tools: []string{id},
		Sandbox: gander.Sandbox{
			RelativeOnly:    isFalse(c.Config.Sandbox.AllowAbsolute),
			NoDefaultDenies: true,
		},
		Limits: gander.Limits{MaxOutputBytes: -1, Timeout: -1},
		Output: gander.Output{VerbatimNames: true},
		GeminiListDirectory: gander.GeminiListDirectory{
			NoGitIgnore:    isFalse(c.Config.RespectGitIgnore),
			NoGeminiIgnore: isFalse(c.Config.RespectGeminiIgnore),
		},
		ForgeListDirectory: c.Config.ListDirectory.options(),
	}
}

func (l ListDirectory) options() gander.ForgeListDirectory {
	return gander.ForgeListDirectory{
		MaxEntries:    l.MaxEntries,
		MaxDepth:      l.MaxDepth,
		IncludeHidden: l.IncludeHidden,
		IncludeOther:  l.IncludeOther,
		OmitFiles:     isFalse(l.IncludeFiles),
		OmitDirs:      isFalse(l.IncludeDirs),
		OmitSymlinks:  isFalse(l.IncludeSymlinks),
	}
}

// isFalse reports whether an option that is true by default is set to false.
func isFalse(b *bool) bool { return b != nil && !*b }

func (c Case) budget() tool.Budget {
	return tool.Budget{MaxOutputBytes: c.Config.MaxOutputBytes, AvailableBytes: c.Config.AvailableCapacityBytes}
}
