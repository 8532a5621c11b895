package gemini

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/node"
	"gander/internal/tools/toolerror"
)

// A globQuestion asks which names a glob matches.
type globQuestion struct {
	Glob  string   `json:"glob"`
	Names []string `json:"names"`
}

func randomQuestions() (questions []globQuestion) {
	r := rand.New(rand.NewPCG(1, 1))
	parts := []string{
		"a", "b", "ab", "*", "*", "**", "?", ".", "+", "^", "$", "{a}", "(b)", "|", "[ab]", `\`, `\d`,
		"é", "😀", "\u0085", " ", "-", "/", "\n", "\r", "\u2028", "\u2029",
	}
	words := func(from []string) string {
		var b strings.Builder
		for range r.IntN(7) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	for range 3000 {
		q := globQuestion{Glob: words(parts)}
		for range 8 {
			// Half of the names match, or nearly do.
			name := words(parts)
			if r.IntN(2) == 0 {
				star := words([]string{"a", "b", "ab", "é", "😀", "/", "\n"})
				mark := words([]string{"a", "é", "😀", "\u2028"})
				name = strings.NewReplacer("*", star, "?", mark).Replace(q.Glob)
			}
			q.Names = append(q.Names, name)
		}
		questions = append(questions, q)
	}
	return questions
}

// TestGlobAsRegExp compares globs with the original's regular expressions.
func TestGlobAsRegExp(t *testing.T) {
	questions := randomQuestions()
	var want [][]bool
	node.Ask(t, `
		console.log(JSON.stringify(questions.map(({glob, names}) => {
			const quoted = glob.replace(/[.+^${}()|[\]\\]/g, "\\$&");
			const whole = new RegExp("^" + quoted.replace(/\*/g, ".*").replace(/\?/g, ".") + "$");
			return names.map(name => whole.test(name));
		})));`, questions, &want)
	matched := 0
	for i, q := range questions {
		g, err := pattern.NewCompiler(t.Context()).Compile(pattern.Gemini, q.Glob, false)
		fixture.Must(t, err)
		for j, name := range q.Names {
			if got := pattern.Match(new(pattern.Work), g, name); got != want[i][j] {
				t.Errorf("%q and %q: got %v", q.Glob, name, got)
			}
			if want[i][j] {
				matched++
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d of the names match", matched)
	}
}

// TestNodeText compares the texts of system errors with Node.js.
func TestNodeText(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other numbers for these errors")
	}
	numbers := []syscall.Errno{
		syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.ENOTDIR, syscall.ELOOP,
		syscall.ENAMETOOLONG, syscall.EMFILE, syscall.EIO,
	}
	var words [][2]string
	node.Ask(t, `
		const all = require("util").getSystemErrorMap();
		console.log(JSON.stringify(questions.map(n => all.get(-n))));`, numbers, &words)
	own := map[error]error{ // the workspace's own errors
		syscall.ENOTDIR: workspace.ErrNotDirectory, syscall.ELOOP: workspace.ErrLoop,
	}
	for i, n := range numbers {
		err := cmp.Or(own[n], error(n))
		want := words[i][0] + ": " + words[i][1] + ", stat 'a'"
		if got := toolerror.Node(fmt.Errorf("x: %w", err), "stat", "a").Error(); got != want {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
}
