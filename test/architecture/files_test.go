package architecture

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"
)

// TestFiles: below the frontends, only one package looks at files. The others use nothing of these packages of the standard
// library but what looks at none.
func TestFiles(t *testing.T) {
	harmless := map[string]func(name string) bool{
		"os": func(name string) bool { return slices.Contains([]string{"Getwd", "UserHomeDir"}, name) },
		"path/filepath": func(name string) bool {
			return !slices.Contains([]string{"EvalSymlinks", "Glob", "Walk", "WalkDir"}, name)
		},
		"syscall": func(name string) bool { return name[0] == 'E' }, // an error
	}
	for _, f := range sources(t, parser.SkipObjectResolution) {
		l, _ := layerOf(f.pkg)
		switch {
		case f.pkg == "internal/files/workspace":
			continue
		case !slices.Contains([]string{"", "internal/admission", "internal/registry", "internal/toolset", "internal/jsonobject", "internal/files", "internal/search", "internal/tools", "tool"}, l.folder):
			continue
		}
		imported := map[string]func(string) bool{}
		for _, spec := range f.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if name == "os/exec" || name == "net" || within(name, sys) {
				t.Errorf("%s: imports %s; only the workspace looks at files", f.path, name)
			}
			imported[name[strings.LastIndex(name, "/")+1:]] = harmless[name]
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if of, ok := s.X.(*ast.Ident); ok && imported[of.Name] != nil && !imported[of.Name](s.Sel.Name) {
					t.Errorf("%s: uses %s.%s; only the workspace looks at files", f.path, of.Name, s.Sel.Name)
				}
			}
			return true
		})
	}
}
