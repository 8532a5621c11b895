package gander_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A room is a package of the module, and what it may import beside the standard library: rooms, and modules of others.
type room struct{ name, rooms, modules string }

const (
	doublestar = "github.com/bmatcuk/doublestar/v4"
	sys        = "golang.org/x/sys"
	xtext      = "golang.org/x/text"
	mcp        = "github.com/modelcontextprotocol/go-sdk"
	engine     = "tool workspace names walk lines text gitignore object dialect"
)

// house is the map of the project, from the ground up. docs/architecture.md shows the same table.
var house = []room{
	{"meter", "", ""},
	{"object", "", ""},
	{"tool", "meter object", ""},
	{"text", "", xtext},
	{"framing", "", ""},
	{"gitignore", "", ""},
	{"lines", "", ""},
	{"workspace", "meter", doublestar + " " + sys + " " + xtext},
	{"names", "workspace text", ""},
	{"walk", "workspace names text", ""},
	{"dialect", "tool workspace text", ""},

	{"codex", engine, ""},
	{"gemini", engine, ""},
	{"forge", engine, ""},
	{"toolkit", engine, doublestar},

	{"why", "tool workspace dialect", ""},
	{"filesystem", "tool workspace walk", ""},
	{"provider", "tool text object", ""},
	{"gander", "tool workspace names walk dialect codex gemini forge toolkit why filesystem provider", ""},

	{"config", "gander tool", "github.com/pelletier/go-toml/v2"},
	{"jsonl", "tool text object framing", ""},
	{"install", "", "github.com/tailscale/hujson github.com/pelletier/go-toml/v2"},
	{"resource", "meter gander tool filesystem", ""},
	{"mcphttp", "", mcp},
	{"mcpserver", "gander tool framing resource mcphttp", mcp},
	{"look", "gander gitignore", doublestar},
	{"document", "lines codex", xtext},
	{"syntax", "", ""},
	{"screen", "text", "github.com/clipperhouse/displaywidth golang.org/x/term"},
	{"cli", "gander tool text config provider jsonl mcpserver install meter look document syntax screen lines filesystem", "github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term"},
	{"cmd/gander", "cli", ""},

	{"fixture", "", sys},
	{"unprivileged", "", ""},
	{"pty", "", sys},
	{"vectors", "gander tool unprivileged", "github.com/google/go-cmp " + sys},
	{"examples", "examples gander tool mcpserver", ""},
	{"release", "", ""},
	{"bench", "bench gander tool", mcp + " " + sys},
}

// TestRooms holds every package to its row.
func TestRooms(t *testing.T) {
	found := map[string]bool{}
	for _, f := range sources(t, parser.ImportsOnly) {
		at := slices.IndexFunc(house, func(r room) bool { return r.name == f.room })
		if at < 0 {
			t.Errorf("%s: package %s is not in the table; give it a row that says what it may import", f.path, f.room)
			continue
		}
		found[f.room] = true
		for _, spec := range f.Imports {
			if imported := strings.Trim(spec.Path.Value, `"`); !house[at].allows(imported) {
				t.Errorf("%s: %s may not import %s", f.path, f.room, imported)
			}
		}
	}
	for _, r := range house {
		if !found[r.name] {
			t.Errorf("%s has a row in the table, but there is no such package", r.name)
		}
	}
}

func (r room) allows(imported string) bool {
	if name := roomOf(imported); name != "" {
		return slices.Contains(strings.Fields(r.rooms), name)
	}
	return standard(imported) || slices.ContainsFunc(strings.Fields(r.modules), func(m string) bool { return within(imported, m) })
}

// roomOf returns the name of the room with that import path, "" where it is none. What lies below bench or examples is one
// room.
func roomOf(imported string) string {
	switch {
	case !within(imported, "gander"):
		return ""
	case within(imported, "gander/bench"):
		return "bench"
	case within(imported, "gander/examples"):
		return "examples"
	default:
		return strings.TrimPrefix(strings.TrimPrefix(imported, "gander/"), "internal/")
	}
}

func within(imported, module string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}

func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// TestRoomsAreDocumented compares the table with the one that people read.
func TestRoomsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range house {
		rooms := r.rooms
		if rooms == engine {
			rooms = "the engine"
		}
		row := strings.Join(strings.Fields("| `"+r.name+"` | "+rooms+" | "+r.modules+" |"), " ")
		if !strings.Contains(string(doc), row+"\n") {
			t.Errorf("docs/architecture.md lacks the row\n%s", row)
		}
	}
}

// TestLinked: who imports gander links what its tools need, and nothing of MCP, of a command line or of TOML.
func TestLinked(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "gander")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		linked := strings.Fields(string(out))
		if !slices.Contains(linked, "gander/internal/walk") {
			t.Errorf("%s: go list printed %q", system, linked)
		}
		for _, p := range linked {
			if roomOf(p) == "" && !within(p, doublestar) && !within(p, sys) && !within(p, xtext) {
				t.Errorf("%s: gander links %s", system, p)
			}
		}
	}
}

// values are the variables of packages that are neither error sentinels nor assertions. They are never written to.
var values = []string{
	"config.example", "forge.permissionDenied", "forge.ioError", "forge.metadataUnavailable", "forge.readDirFailed",
	"cli.release",
}

// TestNoState: no package has an init function, or a variable that a call could leave changed for the next one.
func TestNoState(t *testing.T) {
	for _, f := range sources(t, parser.SkipObjectResolution) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: function init; do the work where somebody asks for it", f.path)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						f.checkVariables(t, v)
					}
				}
			}
		}
	}
}

func (f source) checkVariables(t *testing.T, v *ast.ValueSpec) {
	for _, name := range v.Names {
		constant := name.Name == "_" || strings.HasPrefix(strings.ToLower(name.Name), "err") || slices.Contains(values, f.room+"."+name.Name)
		if !constant {
			t.Errorf("%s: package-level variable %s; keep state in a value, or list it where nothing writes to it", f.path, name.Name)
		}
	}
}

// A source is a file of the module that is not a test, on whatever platform it is built.
type source struct {
	*ast.File
	path, room string
}

func sources(t *testing.T, mode parser.Mode) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, mode)
		if err == nil {
			files = append(files, source{file, name, roomOf(path.Join("gander", filepath.ToSlash(filepath.Dir(name))))})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
