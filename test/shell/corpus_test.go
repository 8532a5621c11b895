package shell_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit"
)

// A corpusLine is a line that a model wrote: those in testdata are from public transcripts, and name
// the files of other people's projects. Lines that need what the shell never has are left out.
type corpusLine struct {
	Line  string   `json:"cmd"`
	Needs []string `json:"needs"`
}

// TestCorpus compares lines that models wrote: those in testdata, or those in the file that
// GANDER_SHELL_CORPUS names. Each runs in a tree with what it names.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many programs")
	}
	p := findPrograms(t)
	file := os.Getenv("GANDER_SHELL_CORPUS")
	if file == "" {
		file = "testdata/lines.jsonl"
	}
	data, err := os.ReadFile(file)
	testkit.Must(t, err)
	var lines []string
	for text := range bytes.Lines(data) {
		var c corpusLine
		testkit.Must(t, json.Unmarshal(text, &c))
		if len(c.Needs) == 0 {
			lines = append(lines, c.Line)
		}
	}
	y := newTally()
	for chunk := range slices.Chunk(lines, 8*batch) {
		p.compareInTrees(t, y, chunk)
	}
	y.report(t)
}

// compareInTrees compares lines, each in a tree of its own.
func (p reality) compareInTrees(t *testing.T, y *tally, lines []string) {
	t.Helper()
	var jobs []job
	for _, line := range lines {
		if asksForPrograms.MatchString(line) {
			continue
		}
		line = moved.ReplaceAllString(line, "${1}"+home+"${2}")
		root := makeTree(t, named(line))
		defer os.RemoveAll(path.Dir(root))
		jobs = append(jobs, job{root, strings.ReplaceAll(line, home, root)})
	}
	p.compare(t, y, jobs)
}

var (
	// moved are the absolute paths that are moved into the tree.
	moved = regexp.MustCompile(
		`(^|[\s"'=(])(/(?:c|app|tmp|opt|usr|etc|var|root|mnt|srv|Users|workspace|data|testbed)\b)`)
	// asksForPrograms matches lines about what the system has.
	asksForPrograms = regexp.MustCompile(`\b(which|type -a|command -v)\b`)

	pathName = regexp.MustCompile(
		`[\w@+~][\w.@+~*-]*(?:/[\w.@+*-]+)*/?|/home/user(?:/[\w.@+*-]+)*/?|\.[a-z][\w.-]*`)
	identifier = regexp.MustCompile(`[A-Za-z_]{3,}`)
	extension  = regexp.MustCompile(`\.[A-Za-z]\w{0,5}$`)
	changed    = regexp.MustCompile(`\bcd +["']?([^\s"';&|]+)`)
)

// named returns a tree with the files and directories that a line seems to name.
func named(line string) []node {
	line = strings.NewReplacer("~/", "", home+"/", "", home, ".").Replace(line)
	var dirs []string
	for _, found := range changed.FindAllStringSubmatch(line, -1) {
		dirs = append(dirs, path.Clean(found[1]))
	}
	paths := map[string]bool{}
	for _, name := range pathName.FindAllString(line, -1) {
		name = strings.ReplaceAll(strings.TrimPrefix(name, "./"), "*", "one")
		isName := strings.Contains(name, "/") || extension.MatchString(name)
		if !isName || strings.Contains(name, "..") || strings.HasPrefix(name, "/") || len(paths) > 60 {
			continue
		}
		for _, dir := range append(dirs, ".") {
			if !strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "..") {
				paths[path.Join(dir, name)] = true
			}
		}
	}
	return nodesOf(paths, line)
}

// nodesOf makes the paths with an extension files, unless another path is below them.
func nodesOf(paths map[string]bool, line string) (nodes []node) {
	sorted := slices.Sorted(maps.Keys(paths))
	texts := identifier.FindAllString(line, -1)
	for i, p := range sorted {
		isParent := slices.ContainsFunc(sorted, func(other string) bool {
			return strings.HasPrefix(other, p+"/")
		})
		switch {
		case isParent:
		case extension.MatchString(p):
			nodes = append(nodes, node{path: p, content: contentOf(p, texts, uint64(i))})
		default:
			for k, name := range []string{"a.txt", "b.go", "c.md", "d.ts", "sub/e.py", ".hidden"} {
				content := contentOf(name, texts, uint64(i*10+k))
				nodes = append(nodes, node{path: path.Join(p, name), content: content})
			}
		}
	}
	return append(nodes, node{path: "README.md", content: contentOf("README.md", texts, 99)})
}

// contentOf returns lines with the words that a line of the corpus looks for.
func contentOf(p string, texts []string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	texts = append(texts, words...)
	word := func() string { return texts[r.IntN(len(texts))] }
	var b strings.Builder
	for i := range 20 + r.IntN(60) {
		switch path.Ext(p) {
		case ".jsonl":
			fmt.Fprintf(&b, "{\"type\":\"message\",\"n\":%d,\"text\":\"%s %s\"}\n", i, word(), word())
		case ".csv":
			fmt.Fprintf(&b, "%d,%s,%s\n", i, word(), word())
		default:
			indent := strings.Repeat(" ", 2*r.IntN(4))
			forms := []string{
				"%s%s %s\n", "%sfunc %s(%s) {\n", "%sconst %s = \"%s\";\n", "%s// %s: %s\n",
				"%s%s%s\n\n",
			}
			fmt.Fprintf(&b, forms[r.IntN(len(forms))], indent, word(), word())
		}
	}
	if path.Ext(p) == ".json" {
		const layout = "{\n  \"name\": %q,\n  \"version\": \"1.0.0\",\n  \"list\": [1, 2]\n}\n"
		return fmt.Sprintf(layout, word())
	}
	return b.String()
}
