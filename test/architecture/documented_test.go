package architecture

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"
)

// TestDocumented checks that every exported name of a public package has a comment, including
// struct fields and interface methods. A comment on a group counts for all of its names.
func TestDocumented(t *testing.T) {
	checked := 0
	public := append(strings.Fields(sets), "gander", "tool", "tool/typed", "mcpserver")
	for _, f := range sources(t, parser.ParseComments) {
		if !slices.Contains(public, f.pkg) {
			continue
		}
		group := ""
		check := func(comment string, names ...*ast.Ident) {
			for _, name := range names {
				if checked++; name.IsExported() && group+comment == "" {
					t.Errorf("%s: %s has no comment", f.path, name.Name)
				}
			}
		}
		ast.FileExports(f.File)
		ast.Inspect(f.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				group = n.Doc.Text()
			case *ast.TypeSpec:
				check(n.Doc.Text(), n.Name)
				group = "" // a comment on a type is not one on its fields
			case *ast.ValueSpec:
				check(n.Doc.Text()+n.Comment.Text(), n.Names...)
			case *ast.Field:
				check(n.Doc.Text()+n.Comment.Text(), n.Names...)
			case *ast.FuncDecl:
				group = ""
				if n.Recv == nil || ast.IsExported(receiver(n)) {
					check(n.Doc.Text(), n.Name)
				}
				return false
			case *ast.FuncType:
				return false
			}
			return true
		})
	}
	if checked < 100 {
		t.Errorf("checked %d names", checked)
	}
}

func receiver(method *ast.FuncDecl) string {
	of := method.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	return of.(*ast.Ident).Name
}
