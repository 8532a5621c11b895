package architecture

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"
)

// TestFiles checks that only one of the packages that access a workspace opens files. The others
// may call only functions that do not open files.
func TestFiles(t *testing.T) {
	const advice = "only the workspace opens files"
	harmless := map[string]func(name string) bool{
		"os": func(name string) bool { return slices.Contains([]string{"Getwd", "UserHomeDir"}, name) },
		"path/filepath": func(name string) bool {
			return !slices.Contains([]string{"EvalSymlinks", "Glob", "Walk", "WalkDir"}, name)
		},
		"syscall": func(name string) bool { return name[0] == 'E' }, // error numbers
	}
	for _, f := range sources(t, parser.SkipObjectResolution) {
		if l, _ := layerOf(f.pkg); l.opens {
			continue
		}
		imported := map[string]func(string) bool{}
		for _, spec := range f.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if name == "os/exec" || name == "net" || within(name, gosys) {
				t.Errorf("%s: imports %s; %s", f.path, name, advice)
			}
			imported[name[strings.LastIndex(name, "/")+1:]] = harmless[name]
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				of, ok := s.X.(*ast.Ident)
				if ok && imported[of.Name] != nil && !imported[of.Name](s.Sel.Name) {
					t.Errorf("%s: uses %s.%s; %s", f.path, of.Name, s.Sel.Name, advice)
				}
			}
			return true
		})
	}
}
