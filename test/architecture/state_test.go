package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestNoState checks that no package has an init function, and that package variables keep the
// value of their declaration. The linker sets cli.release.
func TestNoState(t *testing.T) {
	packages := map[string][]*ast.File{}
	files := token.NewFileSet()
	for _, f := range sources(t, parser.PackageClauseOnly) {
		parsed, err := parser.ParseFile(files, f.path, nil, parser.SkipObjectResolution)
		fixture.Must(t, err)
		packages[f.pkg] = append(packages[f.pkg], parsed)
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		for _, problem := range stateOf(files, packages[pkg]) {
			t.Error(problem)
		}
	}
}

// TestNoStateFinds checks that TestNoState finds every way to change a package variable.
func TestNoStateFinds(t *testing.T) {
	const text = `package p
		import ("errors"; "gander/tool"; "sync")
		type pair struct{ a, b int }
		var fixed, table, record = errors.New("x"), map[string]int{}, pair{}
		var lazy = sync.OnceValue(func() int { return 1 })
		var mu sync.Mutex // 1
		func init() {} // 2
		func change() {
			fixed = nil // 3
			table["x"]++ // 4
			record.a, record.b = 1, 2 // 5, 6
			_ = &record // 7
			delete(table, "x") // 8
			tool.ErrClosed = nil // 9
			for record.a = range 3 {} // 10
			fixed := lazy()
			fixed = 2
			_ = fixed
		}`
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "p.go", text, parser.SkipObjectResolution)
	fixture.Must(t, err)
	if problems := stateOf(files, []*ast.File{f}); len(problems) != 10 {
		t.Errorf("%d problems: %s", len(problems), strings.Join(problems, "\n"))
	}
}

// stateOf returns the places where a package changes a package variable, or could.
func stateOf(files *token.FileSet, pkg []*ast.File) []string {
	c := &stateChecker{files: files, info: types.Info{Uses: map[*ast.Ident]types.Object{}}}
	config := types.Config{
		Importer: noPackages{},
		Error:    func(error) {}, // because nothing is imported
	}
	c.pkg, _ = config.Check(pkg[0].Name.Name, files, pkg, &c.info)
	for _, f := range pkg {
		for _, d := range f.Decls {
			c.declaration(d)
		}
		ast.Inspect(f, c.inspect)
	}
	return c.problems
}

// noPackages imports every package as an empty one.
type noPackages struct{}

func (noPackages) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// A stateChecker looks for changes of package variables in one package.
type stateChecker struct {
	files    *token.FileSet
	info     types.Info
	pkg      *types.Package
	problems []string
}

func (c *stateChecker) report(n ast.Node, format string, args ...any) {
	where := c.files.Position(n.Pos())
	c.problems = append(c.problems, fmt.Sprintf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// declaration reports an init function, and variables that can only be useful if they change.
func (c *stateChecker) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name == "init" {
			c.report(d, "function init; do the work when it is needed")
		}
	case *ast.GenDecl:
		if d.Tok != token.VAR {
			return
		}
		for _, spec := range d.Specs {
			v := spec.(*ast.ValueSpec)
			of, ok := v.Type.(*ast.SelectorExpr)
			if ok && strings.HasPrefix(types.ExprString(of), "sync.") {
				c.report(v, "package variable of type %s; keep state in a value", types.ExprString(of))
			}
		}
	}
}

// inspect reports statements and expressions that change a package variable or take its address.
func (c *stateChecker) inspect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			c.written(left)
		}
	case *ast.IncDecStmt:
		c.written(n.X)
	case *ast.RangeStmt:
		c.written(n.Key)
		c.written(n.Value)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			c.written(n.X)
		}
	case *ast.CallExpr:
		name, ok := n.Fun.(*ast.Ident)
		if ok && (name.Name == "delete" || name.Name == "clear") {
			c.written(n.Args[0])
		}
	}
	return true
}

// written reports an expression that is a package variable or a part of one.
func (c *stateChecker) written(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		c.written(e.X)
	case *ast.StarExpr:
		c.written(e.X)
	case *ast.IndexExpr:
		c.written(e.X)
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.Ident); ok {
			if imported, ok := c.info.Uses[of].(*types.PkgName); ok {
				if within(imported.Imported().Path(), module()) {
					c.report(e, "changes %s", types.ExprString(e))
				}
				return
			}
		}
		c.written(e.X)
	case *ast.Ident:
		v, ok := c.info.Uses[e].(*types.Var)
		if ok && v.Parent() == c.pkg.Scope() {
			c.report(e, "changes the package variable %s; keep state in a value", e.Name)
		}
	}
}
