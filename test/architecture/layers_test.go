package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gander"
)

// A layer is a folder of the module. Its packages may import the folders in imports, the modules in modules ("*" is any), and
// the standard library.
type layer struct {
	folder, imports, modules string
	// apart says that the packages directly below the folder may not import each other.
	apart bool
}

const (
	sys      = "golang.org/x/sys"
	xtext    = "golang.org/x/text"
	mcp      = "github.com/modelcontextprotocol/go-sdk"
	toml     = "github.com/pelletier/go-toml/v2"
	jsontext = "github.com/go-json-experiment/json"
)

// layers returns the layers of the program from the bottom up, and then what surrounds it. docs/architecture.md explains them.
func layers() []layer {
	return []layer{
		{folder: "tool"},
		{folder: "internal/admission"},
		{folder: "internal/jsonobject", modules: jsontext},
		{folder: "internal/layout"},
		{folder: "internal/paths"},
		{folder: "internal/files", imports: "internal/admission internal/files", modules: jsontext + " " + sys + " " + xtext},
		{folder: "internal/search", imports: "internal/admission internal/search internal/files", modules: xtext},
		{folder: "internal/tools", imports: "internal/layout internal/paths internal/admission internal/tools internal/files internal/search internal/jsonobject tool", apart: true},
		{folder: "internal/registry", imports: "internal/admission internal/jsonobject tool"},
		{folder: "internal/toolset", imports: "internal/registry internal/admission internal/tools/shared internal/files tool"},
		{folder: "", imports: "internal/toolset internal/registry internal/admission internal/tools internal/files tool"},
		{folder: "internal/terminal", imports: "internal/files/text", modules: "golang.org/x/term"},
		{folder: "internal/config", imports: "internal/toolset gander tool", modules: "*"},
		{folder: "internal/install", imports: "internal/terminal", modules: "*"},
		{folder: "internal/cli", imports: "internal/layout internal/paths internal/terminal internal/config internal/install internal/jsonobject internal/registry internal/toolset internal/tools/shared tool gander mcpserver", modules: "*"},
		{folder: "mcpserver", imports: "internal/paths internal/admission internal/jsonobject internal/toolset internal/tools/shared gander tool", modules: mcp + " golang.org/x/time " + sys},
		{folder: "cmd/gander", imports: "internal/cli"},
		{folder: "internal/testkit", imports: "internal/testkit internal/toolset internal/tools/shared gander tool", modules: "github.com/google/go-cmp " + sys},
		{folder: "examples", imports: "gander tool", modules: "*"},
		{folder: "test"},
		{folder: "release", imports: "internal/toolset gander internal/cli", modules: "github.com/spf13/cobra"},
		{folder: "bench/search", imports: "internal/search internal/files"},
		{folder: "bench", imports: "bench gander tool", modules: mcp + " " + sys},
	}
}

// exceptions returns the imports that are allowed although a layer's rule forbids them, each with the reason.
func exceptions() map[string]string {
	return map[string]string{
		"internal/testkit/tooltest -> internal/files/workspace": "tools are tested over a workspace without the library, which imports them",
		"internal/testkit/tooltest -> internal/registry":        "tools are called as the library calls them",
	}
}

// TestLayers: every package follows the rule of its layer.
func TestLayers(t *testing.T) {
	used := map[string]bool{}
	for _, f := range sources(t, parser.ImportsOnly) {
		l, ok := layerOf(f.pkg)
		if !ok {
			t.Errorf("%s: package %s is in no layer; move it into one", f.path, f.pkg)
			continue
		}
		for _, spec := range f.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			if standard(imported) || l.allows(f.pkg, imported) {
				continue
			}
			exception := f.pkg + " -> " + packageOf(imported)
			if _, ok := exceptions()[exception]; !ok {
				t.Errorf("%s: %s may not import %s", f.path, f.pkg, imported)
			}
			used[exception] = true
		}
	}
	for e := range exceptions() {
		if !used[e] {
			t.Errorf("nothing needs the exception %s; remove it", e)
		}
	}
}

// layerOf returns the layer of a package.
func layerOf(pkg string) (layer, bool) {
	for _, l := range layers() {
		if l.folder != "" && within(pkg, l.folder) || l.folder == "" && pkg == "gander" {
			return l, true
		}
	}
	return layer{}, false
}

// allows reports whether a package of the layer may import a path, which is not of the standard library.
func (l layer) allows(pkg, imported string) bool {
	target := packageOf(imported)
	if target == "" {
		return l.modules == "*" || slices.ContainsFunc(strings.Fields(l.modules), func(m string) bool { return within(imported, m) })
	}
	if l.apart && within(target, l.folder) {
		return target == l.folder || target == l.folder+"/explain" || target == l.folder+"/shared" || within(target, pkg)
	}
	return slices.ContainsFunc(strings.Fields(l.imports), func(folder string) bool { return within(target, folder) })
}

// packageOf returns the folder of the package with this import path, "gander" for the package at the top, and "" for a package of
// another module.
func packageOf(imported string) string {
	if !within(imported, modulePath()) {
		return ""
	}
	if imported == modulePath() {
		return "gander"
	}
	return strings.TrimPrefix(imported, modulePath()+"/")
}

// modulePath returns the path of gander's module.
func modulePath() string { return reflect.TypeFor[gander.Options]().PkgPath() }

func within(imported, module string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}

func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && !within(imported, modulePath())
}

// TestLinked: a program that imports gander links what the tools need, and nothing for MCP, the command line or TOML.
func TestLinked(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", modulePath())
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		linked := strings.Fields(string(out))
		if !slices.Contains(linked, "gander/internal/files/walk") {
			t.Errorf("%s: go list printed %q", system, linked)
		}
		for _, p := range linked {
			if packageOf(p) == "" && !within(p, jsontext) && !within(p, sys) && !within(p, xtext) {
				t.Errorf("%s: gander links %s", system, p)
			}
		}
	}
}

// constants are the package-level variables that are neither errors nor assertions. Nothing writes to them.
var constants = []string{
	"bench.filesPatterns",
	"bench.logPatterns",
	"bench.sourcePatterns",
	"cli.release",
	"config.example",
	"filesystem.published",
	"syntax.asciiClasses",
	"syntax.scriptAliases",
}

// TestNoState: no package has an init function or a variable that a call could change.
func TestNoState(t *testing.T) {
	for _, f := range sources(t, parser.SkipObjectResolution) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: function init; do the work when it is needed", f.path)
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
		constant := name.Name == "_" || strings.HasPrefix(strings.ToLower(name.Name), "err") || slices.Contains(constants, path.Base(f.pkg)+"."+name.Name)
		if !constant {
			t.Errorf("%s: package-level variable %s; keep state in a value, or list the variable if nothing writes to it", f.path, name.Name)
		}
	}
}

// A source is a Go file of the module, for any platform, that is not a test.
type source struct {
	*ast.File
	path, pkg string
}

func sources(t *testing.T, mode parser.Mode) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "../.." && (d.Name() == "testdata" || d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, mode)
		if err == nil {
			files = append(files, source{file, name, packageOf(path.Join(modulePath(), strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../..")))})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
