package native

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/native/wording"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// argumentNames returns the names of the arguments of all tools.
func argumentNames(t *testing.T) (names []string) {
	for _, one := range toolsIn(nativetest.Environment(tooltest.Workspace(t, nil, t.TempDir()))) {
		var schema struct{ Properties map[string]json.RawMessage }
		if err := json.Unmarshal(one.Spec().Input, &schema); err != nil {
			t.Fatal(err)
		}
		for name := range schema.Properties {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestSpellingOfArguments checks that no message has an argument with a value in its own text: all
// of them come from the functions of wording, which know flags.
func TestSpellingOfArguments(t *testing.T) {
	spelled := regexp.MustCompile(`\b(` + strings.Join(argumentNames(t), "|") + `)=`)
	found := 0
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		isOther := err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go")
		// The arguments of other tools are not flags, so nobody gives them on a command line.
		if isOther || strings.HasPrefix(path, "foreign") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			found++
			if spelled.MatchString(literal.Value) {
				t.Errorf("%s: %s", path, literal.Value)
			}
			return true
		})
		return nil
	})
	if err != nil || found < 100 {
		t.Errorf("%d texts, %v", found, err)
	}
}

// TestStyleOfResults checks that results in the style of a command differ from those of a model
// only in how they speak of arguments and tools.
func TestStyleOfResults(t *testing.T) {
	root := t.TempDir()
	fixture.Write(t, root, map[string]string{
		".git/x": "", ".gitignore": "*.log\n", "a.log": "x", "d/a.go": strings.Repeat("offset=5 limit=1\n", 30),
		"d/b.go": "package b\n", "limit=7": "path=\"x\"\n",
	})
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	ctx := wording.WithStyle(t.Context(), wording.Style{Flags: true})
	for _, tt := range []struct{ tool, args, want string }{
		{"list_dir", `{"limit":1}`, "continue with --offset 2"},
		{"list_dir", `{}`, "include them with --ignored"},
		{"list_dir", `{"offset":100}`, "none from --offset 100"},
		{"read_file", `{"path":"d/a.go","limit":2}`, "continue with --offset 3"},
		{"read_file", `{"path":["d/a.go","d/b.go"],"limit":2}`, "--path d/a.go --offset 3"},
		{"find_files", `{"pattern":"*.go","limit":1}`, "continue with --offset 2"},
		{"search_text", `{"pattern":"offset","limit":1}`, "continue with --offset 2"},
		{"search_text", `{"pattern":"offset","context":200}`, "--context 100, the maximum"},
	} {
		call := tool.Call{Args: json.RawMessage(tt.args)}
		asFlags, err := toolIn(e, tt.tool).Call(ctx, call)
		if err != nil {
			t.Fatal(err)
		}
		asModel, err := toolIn(e, tt.tool).Call(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(asFlags.Text(), tt.want) {
			t.Errorf("%s %s: no %q in\n%s", tt.tool, tt.args, tt.want, asFlags.Text())
		}
		inFlags := strings.Count(asFlags.Text(), "offset=5 limit=1\n")
		if inFlags != strings.Count(asModel.Text(), "offset=5 limit=1\n") {
			t.Errorf("%s %s: the lines of a file differ\n%s", tt.tool, tt.args, asFlags.Text())
		}
	}
}
