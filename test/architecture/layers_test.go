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
	"gander/internal/testkit/fixture"
)

// A layer is a folder of the module. Its packages can import the standard library, the folders in
// imports and the modules in modules. "folder!" is only the package of the folder itself.
type layer struct {
	folder, imports, modules string

	opens bool // the folder's packages can open files
}

const (
	gosys    = "golang.org/x/sys"
	gotext   = "golang.org/x/text"
	goimage  = "golang.org/x/image"
	jsontext = "github.com/go-json-experiment/json"
	mcp      = "github.com/modelcontextprotocol/go-sdk"
	cobra    = "github.com/spf13/cobra"

	support = " internal/admission internal/jsonobject internal/option " +
		"internal/paths tool"

	toolImports = "internal/tools internal/files internal/search" + support
	// What gander's own tools share: they do not know each other.
	callParts = "internal/native/wording internal/native/section internal/native/lookup " +
		"internal/native/call "
	nativeParts = callParts + "internal/native/results " +
		"internal/native/filekind internal/native/block internal/native/extract internal/blocks internal/documents! "
	// What the formats of documents share: they do not know each other.
	documentParts = "internal/documents! internal/documents/markup internal/documents/ooxml " +
		"internal/documents/sheet internal/documents/formula internal/documents/html internal/files/text"

	sets = "codex gemini forge toolkit filesystem shell"
)

// layers returns the layers from the bottom up. docs/architecture.md explains them.
func layers() []layer {
	return []layer{
		{
			folder: "tool/typed", imports: "internal/jsonobject tool",
			modules: "github.com/google/jsonschema-go " + jsontext,
		},
		{folder: "tool"},
		{folder: "internal/admission"},
		{folder: "internal/option"},
		{folder: "internal/paths"},
		{folder: "internal/clientlog", modules: "golang.org/x/time"},
		{folder: "internal/jsonobject", modules: jsontext},
		{
			folder: "internal/confinement", modules: "github.com/landlock-lsm/go-landlock " + gosys,
			opens: true,
		},
		{
			folder: "internal/files/workspace", imports: "internal/files/pattern internal/files/text " +
				"internal/option internal/paths",
			modules: gosys + " " + gotext, opens: true,
		},
		{
			folder: "internal/files", imports: "internal/files internal/admission internal/paths",
			modules: gotext + " " + jsontext,
		},
		{
			folder: "internal/search", imports: "internal/search internal/files internal/admission",
			modules: gotext,
		},
		{
			folder: "internal/documents/markup", imports: "internal/documents! internal/files/text",
			modules: gotext,
		},
		{folder: "internal/documents/sheet", imports: "internal/documents!"},
		{folder: "internal/documents/formula", imports: "internal/documents! internal/documents/markup"},
		{
			folder:  "internal/documents/html",
			imports: "internal/documents! internal/documents/formula internal/documents/markup",
		},
		{folder: "internal/documents/ooxml", imports: documentParts},
		{folder: "internal/documents/docx", imports: documentParts},
		{folder: "internal/documents/xlsx", imports: documentParts},
		{folder: "internal/documents/pptx", imports: documentParts},
		{folder: "internal/documents/odf", imports: documentParts},
		{folder: "internal/documents/epub", imports: documentParts},
		{folder: "internal/documents/ipynb", imports: documentParts},
		{folder: "internal/documents/rtf", imports: documentParts, modules: gotext},
		{folder: "internal/documents/office", imports: "internal/documents"},
		{
			folder: "internal/documents/pdf", imports: "internal/documents! internal/files/text " +
				"internal/admission",
			modules: "github.com/tetratelabs/wazero " + gotext,
		},
		{folder: "internal/documents", imports: "internal/files/text internal/admission"},
		{
			folder: "internal/shell/command",
			imports: "internal/shell/command internal/shell/glob internal/shell/regex " +
				"internal/files internal/search internal/admission",
			modules: "golang.org/x/text",
		},
		{
			folder: "internal/shell",
			imports: "internal/shell internal/files internal/search internal/admission " +
				"internal/tools/similar",
			modules: "mvdan.cc/sh/v3",
		},
		{
			folder:  "internal/tools",
			imports: "internal/tools internal/files/text internal/files/workspace" + support,
		},
		{folder: "internal/images", imports: "internal/admission", modules: goimage},
		{folder: "internal/native/wording"},
		{folder: "internal/native/foreign", imports: "internal/jsonobject"},
		{
			folder:  "internal/native/filekind",
			imports: "internal/files/workspace internal/files/charset",
		},
		{folder: "internal/blocks"},
		{folder: "internal/native/block", imports: "internal/blocks internal/files/lines"},
		{folder: "internal/native/extract", imports: "internal/documents! internal/files/lines"},
		{folder: "internal/native/section", imports: "internal/native/wording " + toolImports},
		{folder: "internal/native/lookup", imports: "internal/native/wording internal/documents! " +
			toolImports},
		{
			folder: "internal/native/call", imports: "internal/native/wording internal/native/foreign " +
				"internal/native/section internal/native/lookup internal/documents! " + toolImports,
		},
		{folder: "internal/native/results", imports: callParts + toolImports},
		{folder: "internal/native/list", imports: nativeParts + toolImports},
		{folder: "internal/native/find", imports: nativeParts + toolImports},
		{folder: "internal/native/search", imports: nativeParts + toolImports},
		{folder: "internal/native/read", imports: "internal/images " + nativeParts + toolImports},
		{
			folder:  "internal/native",
			imports: "internal/native internal/tools internal/files/workspace tool",
		},
		{folder: "internal/toolset", imports: "internal/tools internal/files/workspace " +
			"internal/files/text internal/files/why" + support},
		{folder: "gander", imports: "internal/toolset internal/admission " +
			"internal/option internal/native internal/tools internal/files/workspace internal/files/fsys " +
			"internal/documents! tool"},
		{folder: "documents", imports: "gander internal/documents/office internal/documents/pdf"},
		{folder: "codex", imports: "gander " + toolImports},
		{folder: "gemini", imports: "gander " + toolImports},
		{folder: "forge", imports: "gander " + toolImports},
		{folder: "toolkit", imports: "gander " + toolImports},
		{folder: "filesystem", imports: "gander " + toolImports},
		{folder: "shell", imports: "gander internal/shell! " + toolImports},

		{
			folder: "mcpserver", imports: "internal/toolset internal/tools internal/clientlog gander " +
				"internal/files/text" + support,
			modules: mcp + " golang.org/x/time", opens: true,
		},
		{
			folder: "internal/terminal", imports: "internal/files/text", modules: "golang.org/x/term",
			opens: true,
		},
		{
			folder: "internal/config", imports: "internal/audit internal/option gander documents tool " +
				sets,
			modules: "github.com/pelletier/go-toml", opens: true,
		},
		{folder: "internal/audit", imports: "internal/paths tool", modules: gosys, opens: true},
		{
			folder:  "internal/install",
			modules: "github.com/tailscale/hujson github.com/pelletier/go-toml", opens: true,
		},
		{
			folder: "internal/cli", imports: "internal/audit internal/terminal internal/config internal/install " +
				"internal/confinement internal/clientlog internal/files/text " +
				"internal/native/wording internal/search/filetype internal/shell! internal/toolset gander " +
				"mcpserver" + support,
			modules: cobra + " github.com/spf13/pflag", opens: true,
		},
		{folder: "cmd/gander", imports: "internal/cli", opens: true},

		{
			folder: "internal/testkit/nativetest", imports: "internal/testkit/tooltest " +
				"internal/native/call internal/files/workspace internal/toolset",
		},
		{
			folder: "internal/testkit/commandtest", imports: "internal/shell/command " +
				"internal/files/workspace", opens: true,
		},
		{
			folder: "internal/testkit/faults", imports: "internal/testkit internal/toolset " +
				"internal/files/workspace internal/admission internal/native! internal/native/call " +
				"internal/tools/definition tool " + sets, opens: true,
		},
		{
			folder: "internal/testkit", imports: "internal/testkit internal/toolset " +
				"internal/files/workspace internal/documents! gander tool " + sets,
			modules: "github.com/google/go-cmp " + gosys, opens: true,
		},
		{folder: "test"},
		{folder: "release", imports: "gander internal/cli", modules: cobra, opens: true},
		{folder: "examples", modules: "github.com", imports: "gander tool", opens: true},
		{
			folder: "bench", imports: "bench internal/search internal/files gander tool",
			modules: gosys, opens: true,
		},
	}
}

// TestLayers checks that each package imports only packages allowed for its layer, and that each
// layer has a package.
func TestLayers(t *testing.T) {
	used := make(map[string]bool)
	for _, f := range sources(t, parser.ImportsOnly) {
		l, ok := layerOf(f.pkg)
		if !ok {
			t.Errorf("%s: package %s is in no layer; move it into one", f.path, f.pkg)
		}
		used[l.folder] = true
		for _, spec := range f.Imports {
			if imported := strings.Trim(spec.Path.Value, `"`); !l.allows(imported) {
				t.Errorf("%s: %s cannot import %s", f.path, f.pkg, imported)
			}
		}
	}
	for _, l := range layers() {
		if !used[l.folder] {
			t.Errorf("%s: no package is in this layer; remove it", l.folder)
		}
	}
}

// layerOf returns the layer of a package.
func layerOf(pkg string) (layer, bool) {
	for _, l := range layers() {
		if within(pkg, l.folder) {
			return l, true
		}
	}
	return layer{}, false
}

// allows reports whether a package of the layer can import a path.
func (l layer) allows(imported string) bool {
	target := packageOf(imported)
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case target == "" && !strings.Contains(first, "."): // standard library
		return true
	case target == "":
		return withinAny(imported, l.modules)
	default:
		return withinAny(target, l.imports)
	}
}

// module returns the path of the module.
func module() string { return reflect.TypeFor[gander.Options]().PkgPath() }

// packageOf returns the folder of the package with the given import path. It is "gander" for the
// root package, and empty for a package of another module.
func packageOf(imported string) string {
	if imported == module() {
		return "gander"
	}
	folder, ok := strings.CutPrefix(imported, module()+"/")
	if !ok {
		return ""
	}
	return folder
}

// within reports whether a path is a folder or below it. Only the root is in the folder gander.
func within(name, folder string) bool {
	if pkg, ok := strings.CutSuffix(folder, "!"); ok {
		return name == pkg
	}
	return name == folder || strings.HasPrefix(name, folder+"/")
}

func withinAny(name, folders string) bool {
	return slices.ContainsFunc(strings.Fields(folders), func(f string) bool { return within(name, f) })
}

// TestLinked checks that a program that imports gander links no reproduction, and no package for
// MCP, the command line or TOML.
func TestLinked(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps",
			"-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", module())
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		fixture.Must(t, err)
		linked := strings.Fields(string(out))
		if !slices.Contains(linked, "gander/internal/files/walk") {
			t.Errorf("%s: go list printed %q", system, linked)
		}
		for _, p := range linked {
			if slices.Contains(strings.Fields(sets), packageOf(p)) {
				t.Errorf("%s: gander links %s", system, p)
			}
			if packageOf(p) == "" && !withinAny(p, jsontext+" "+gosys+" "+gotext+" "+goimage) {
				t.Errorf("%s: gander links %s", system, p)
			}
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
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../..")
		files = append(files, source{file, name, packageOf(path.Join(module(), dir))})
		return err
	})
	fixture.Must(t, err)
	return files
}
