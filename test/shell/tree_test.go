package shell_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit"
)

// A node is a file, a directory (with a name that ends in a slash) or a symlink (with a target).
type node struct{ path, content, target string }

// words are what the files consist of, and what the lines look for.
var words = strings.Fields("alpha beta gamma TODO FIXME error Error warning func return import " +
	"class def for value result count total config server handler test main foo bar. baz, x1 café")

// madeUp returns a tree with the files that the grammar names.
func madeUp(seed uint64) []node {
	r := rand.New(rand.NewPCG(seed, 2))
	word := func() string { return words[r.IntN(len(words))] }
	text := func(lines, most int) string {
		var b strings.Builder
		for range lines {
			for i := range r.IntN(most + 1) {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(word())
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	each := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	numbers := each(25, func(int) string {
		return fmt.Sprintf("%d %s %d\n", r.IntN(400), word(), r.IntN(90)-20)
	})
	log := each(60, func(i int) string {
		level := []string{"INFO", "WARN", "ERROR", "DEBUG"}[r.IntN(4)]
		return fmt.Sprintf("2026-01-%02d %02d:%02d:00 %s %s took %dms\n",
			1+i/4, i%24, i, level, word(), r.IntN(900))
	})
	data := "id,name,group,price\n" + each(20, func(i int) string {
		return fmt.Sprintf("%d,%s,%s,%d.%d\n", i+1, word(), word(), r.IntN(50), r.IntN(100))
	})
	goFile := fmt.Sprintf("package main\n\nimport (\n\t\"fmt\"\n)\n\n// TODO: %s\nfunc main() {\n"+
		"\tx := 1\n\tfmt.Println(\"%s\", x)\n}\n\nfunc %sHandler(s string) error {\n\treturn nil\n}\n",
		word(), word(), word())
	pyFile := "import os\nfrom sys import argv\n\nclass Config:\n    def __init__(self):\n" +
		"        self.value = 1\n\ndef main():\n    print(\"" + word() + "\")  # FIXME\n"
	letters := each(25, func(int) string {
		return []string{"a", "a", "B", "b", "c x"}[r.IntN(5)] + "\n"
	})
	utf8Text := "héllo wörld\n日本語 text\n\u00a0x\u2003y\n😀 e\u0301\nnaïve Ünïcode ÀÉ\n"
	versions := "v1.10\nv1.9\nv1.2-rc1\nv1.2\na-1.tar.gz\nfile10\nfile9\n1K\n2M\n10\n1.5G\nfeb\nJan\n"
	longText := strings.Repeat("word ", 400) + "\n" + strings.Repeat("x", 9000) + "\nend\n"
	settings := "# comment\nname = value\nport=80\n; x\nhost: main\n[section]\n"
	readme := "# Title\n\n" + text(6, 9) + "\n## Usage\n\n```sh\nmake test\n```\n- item\n"
	manifest := `{"name":"demo","version":"1.2.0","scripts":{"test":"x"},"items":[1,2]}` + "\n"
	allBytes := each(300, func(i int) string { return string([]byte{byte(i)}) })
	return []node{
		{path: "a.txt", content: text(30, 8)},
		{path: "b.txt", content: text(15, 5)},
		{path: "nums.txt", content: numbers},
		{path: "words.txt", content: each(20, func(int) string { return word() + "\n" })},
		{path: "utf8.txt", content: utf8Text},
		{path: "crlf.txt", content: "one\r\ntwo error\r\n\r\nlast"},
		{path: "nonl.txt", content: text(3, 4) + "the last line"},
		{path: "empty.txt"},
		{path: "blank.txt", content: "\n\n\nalpha\n\n\n\nbeta gamma\n \n\n"},
		{path: "dup.txt", content: letters},
		{path: "long.txt", content: longText},
		{path: "tabs.tsv", content: "a\tb\tc\n1\t22\t333\n\t\tx\nalpha\tbeta\n"},
		{path: "keyval.conf", content: settings},
		{path: "README.md", content: readme},
		{path: "versions.txt", content: versions},
		{path: "sections.txt", content: "h0\n\\:\\:\\:\nhead\n\n\\:\\:\nbody\n\n\\:\nfoot\n\\:\\:\nx\n"},
		{path: "latin1.txt", content: "caf\xe9 error\nplain\n"},
		{path: "bin.dat", content: allBytes},
		{path: "package.json", content: manifest},
		{path: ".gitignore", content: "*.log\nbuild/\n"},
		{path: ".hidden", content: "alpha hidden\n"},
		{path: ".git/config", content: "[core]\n"},
		{path: ".git/HEAD", content: "ref: refs/heads/main\n"},
		{path: "build/out.txt", content: text(4, 5)},
		{path: "src/main.go", content: goFile},
		{path: "src/util.py", content: pyFile},
		{path: "src/lib/lib.go", content: "package lib\n\nfunc count(a []int) int { return len(a) }\n"},
		{path: "src/lib/lib_test.go", content: "package lib\n\n// error test\n"},
		{path: "docs/guide.md", content: "# Guide\n\n" + text(10, 7)},
		{path: "docs/api.txt", content: text(8, 6)},
		{path: "data/app.log", content: log},
		{path: "data/data.csv", content: data},
		{path: "test/main_test.py", content: "def test_main():\n    assert True\n"},
		{path: "with space/file one.txt", content: text(4, 4)},
		{path: "hollow/"},
		{path: "link.txt", target: "a.txt"},
		{path: "srclink", target: "src"},
		{path: "broken", target: "nowhere"},
	}
}

// makeTrees makes the trees of all seeds.
func makeTrees(t *testing.T) (roots []string) {
	t.Helper()
	for seed := range uint64(treeSeeds) {
		roots = append(roots, makeTree(t, madeUp(seed)))
	}
	return roots
}

// makeTree makes a tree whose directories list their entries in order of name, where the file
// system lists the newest entry first, as tmpfs does.
func makeTree(t *testing.T, nodes []node) (root string) {
	t.Helper()
	parent := "/dev/shm"
	if _, err := os.Stat(parent); err != nil {
		parent = ""
	}
	dir, err := os.MkdirTemp(parent, "shell")
	testkit.Must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	dir, err = filepath.EvalSymlinks(dir)
	testkit.Must(t, err)
	root = filepath.Join(dir, "tree")
	testkit.Must(t, os.Mkdir(root, 0o755))
	makeNodes(t, root, nodes)
	return root
}

// makeNodes makes the nodes below dir, the last first.
func makeNodes(t *testing.T, dir string, nodes []node) {
	t.Helper()
	below := map[string][]node{}
	for _, n := range nodes {
		name, rest, isBelow := strings.Cut(n.path, "/")
		if isBelow {
			name += "/"
		}
		if rest != "" || !isBelow {
			n.path = rest
			below[name] = append(below[name], n)
		} else if below[name] == nil {
			below[name] = []node{}
		}
	}
	names := slices.SortedFunc(maps.Keys(below), func(a, b string) int {
		return cmp.Compare(strings.TrimSuffix(b, "/"), strings.TrimSuffix(a, "/"))
	})
	for _, name := range names {
		p := filepath.Join(dir, name)
		var err error
		switch n := below[name]; {
		case strings.HasSuffix(name, "/"):
			if err = os.Mkdir(p, 0o755); err == nil {
				makeNodes(t, p, n)
			}
		case n[0].target != "":
			err = os.Symlink(n[0].target, p)
		default:
			err = os.WriteFile(p, []byte(n[0].content), 0o644)
		}
		if !os.IsExist(err) {
			testkit.Must(t, err)
		}
	}
	// Different and old times, which do not depend on the run.
	for i, name := range names {
		at := time.Date(2024, 3, 1+i%28, i%24, i%60, 0, 0, time.UTC)
		_ = os.Chtimes(filepath.Join(dir, name), at, at)
	}
}
