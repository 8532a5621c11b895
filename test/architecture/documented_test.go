package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public returns the directories of the public packages.
func public() []string { return []string{"../..", "../../tool", "../../mcpserver"} }

// TestDocumented checks that every exported name of a public package has a comment, including
// struct fields and interface methods.
func TestDocumented(t *testing.T) {
	for _, dir := range public() {
		fset, decls := exported(t, dir)
		for _, d := range decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", fset.Position(name.Pos()), name.Name)
			}
		}
	}
}

// exported returns the exported declarations of the package in dir, ordered by name.
func exported(t *testing.T, dir string) (*token.FileSet, []ast.Decl) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var decls []ast.Decl
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		unexported := func(d ast.Decl) bool { return nameOf(d) == "" }
		decls = append(decls, slices.DeleteFunc(file.Decls, unexported)...)
	}
	slices.SortStableFunc(decls, func(a, b ast.Decl) int {
		return strings.Compare(nameOf(a), nameOf(b))
	})
	return fset, decls
}

// nameOf returns the sort key of an exported declaration, or "" if the declaration is not exported.
// A method sorts after its type.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return d.Name.Name
		}
		receiver := d.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if name := receiver.(*ast.Ident).Name; ast.IsExported(name) {
			return name + "." + d.Name.Name
		}
	case *ast.GenDecl:
		switch spec := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return spec.Name.Name
		case *ast.ValueSpec:
			return spec.Names[0].Name
		}
	}
	return ""
}

// undocumented returns the exported names of a declaration that have no comment. A comment on a
// group of constants or variables counts for all of them.
func undocumented(d ast.Decl) (missing []*ast.Ident) {
	check := func(names []*ast.Ident, comments ...*ast.CommentGroup) {
		for _, c := range comments {
			if c.Text() != "" {
				return
			}
		}
		for _, name := range names {
			if name.IsExported() {
				missing = append(missing, name)
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			check([]*ast.Ident{n.Name}, n.Doc)
			return false
		case *ast.TypeSpec:
			check([]*ast.Ident{n.Name}, n.Doc, d.(*ast.GenDecl).Doc)
		case *ast.ValueSpec:
			check(n.Names, n.Doc, n.Comment, d.(*ast.GenDecl).Doc)
		case *ast.FuncType:
			return false
		case *ast.Field:
			check(n.Names, n.Doc, n.Comment)
		}
		return true
	})
	return missing
}
