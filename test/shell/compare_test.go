// Package shell_test compares gander's shell with bash and the programs that its commands stand
// for.
package shell_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/shell"
	"gander/internal/shell/command"
	"gander/internal/testkit"
)

var update = flag.Bool("update", false, "record the results of the real programs again")

const (
	treeSeeds = 3
	shown     = 60 // differences that are shown
	home      = "/home/user"
)

// A result is what a line prints on its standard output, and its status.
type result struct {
	Output  string `json:"output"`
	Status  int    `json:"status"`
	refused bool
	errors  []byte // on standard error, to explain a difference
}

// runShell runs a line in gander's shell.
func runShell(t *testing.T, root, line string) result {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, root)
	testkit.Must(t, err)
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	r := shell.New(w, root).Run(ctx, shell.Script{
		Text: line, Dir: root, Out: &stdout, Err: &stderr,
	})
	err = errors.Join(r.Refused, r.Stopped)
	fmt.Fprintln(&stderr, err)
	isRefused := r.Refused != nil || errors.As(r.Stopped, &command.Refusal{})
	return result{stdout.String(), r.Status, isRefused, stderr.Bytes()}
}

// programs are the programs that the lines need, by the name that the lines use, and a part of
// their version.
var programs = map[string][2]string{
	"bash": {"bash", "GNU bash, version 5.2"}, "ls": {"ls", "(GNU coreutils) 9."},
	"find": {"find", "(GNU findutils) 4."}, "grep": {"grep", "(GNU grep) 3."},
	"sed": {"sed", "(GNU sed) 4."}, "awk": {"gawk", "GNU Awk 5."}, "rg": {"rg", "ripgrep 15."},
	"diff": {"diff", "(GNU diffutils) 3."}, "tree": {"tree", "tree v2."},
	"file": {"file", "file-5."}, "xxd": {"xxd", ""}, "hexdump": {"hexdump", ""},
	"strings": {"strings", ""},
}

// A reality runs lines with the real programs.
type reality struct{ bin, config string }

// findPrograms returns a reality, or skips the test if a program is missing.
func findPrograms(t *testing.T) reality {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the programs of GNU are on Linux")
	}
	dir := t.TempDir()
	for name, want := range programs {
		path, err := exec.LookPath(want[0])
		if err != nil {
			missing(t, want[0])
		}
		version, _ := exec.Command(path, "--version").CombinedOutput()
		if !bytes.Contains(version, []byte(want[1])) {
			missing(t, want[0]+" ("+want[1]+")")
		}
		testkit.Must(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	config := filepath.Join(dir, "ripgreprc")
	testkit.Must(t, os.WriteFile(config, []byte("--sort=path\n"), 0o600))
	return reality{dir, config}
}

func missing(t *testing.T, program string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing", program)
	}
	t.Skipf("%s is missing", program)
}

func (p reality) environment(root string) []string {
	return []string{
		"PATH=" + p.bin + ":" + os.Getenv("PATH"), "HOME=" + root, "LC_ALL=C.UTF-8", "LANG=C.UTF-8",
		"PWD=" + root, "RIPGREP_CONFIG_PATH=" + p.config, "TZ=" + os.Getenv("TZ"),
	}
}

func (p reality) run(t *testing.T, root, line string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir = root
	cmd.Env = p.environment(root)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	status := cmd.ProcessState.ExitCode()
	if err != nil && status < 0 {
		status = 124
	}
	return result{Output: stdout.String(), Status: status, errors: stderr.Bytes()}
}

// A job is a line and the root that it runs in.
type job struct{ root, line string }

const (
	// batch is the number of lines that one bash runs, each in a subshell: its start takes longer
	// than most lines.
	batch = 100
	// batchScript reads roots and lines, and writes what they print into the directory $1.
	batchScript = `_n=0
while IFS= read -r -d '' HOME && IFS= read -r -d '' _l; do
	(cd "$HOME"; _d=$1; set --; eval "$_l") </dev/null >"$1/$_n.out" 2>"$1/$_n.err"
	echo $? >"$1/$_n.status"
	_n=$((_n+1))
done`
)

// runBatch runs at most batch jobs. A result without a status is missing.
func (p reality) runBatch(t *testing.T, jobs []job) map[job]result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, "bash", "-c", batchScript, "bash", dir)
	cmd.Env = p.environment(jobs[0].root)
	cmd.WaitDelay = time.Second
	var in strings.Builder
	for _, j := range jobs {
		in.WriteString(j.root + "\x00" + j.line + "\x00")
	}
	cmd.Stdin = strings.NewReader(in.String())
	_ = cmd.Run() // what is missing runs again
	results := make(map[job]result)
	for i, j := range jobs {
		name := filepath.Join(dir, strconv.Itoa(i))
		status, err := os.ReadFile(name + ".status")
		n, atoiErr := strconv.Atoi(strings.TrimSpace(string(status)))
		out, outErr := os.ReadFile(name + ".out")
		if errors.Join(err, atoiErr, outErr) == nil {
			results[j] = result{Output: string(out), Status: n}
		}
	}
	return results
}

// compare runs jobs in both ways and counts the results. A line whose results differ runs again, in
// a bash of its own.
func (p reality) compare(t *testing.T, y *tally, jobs []job) {
	t.Helper()
	chunks := slices.Collect(slices.Chunk(jobs, batch))
	forEach(len(chunks), func(i int) {
		results := p.runBatch(t, chunks[i])
		for _, j := range chunks[i] {
			got := normal(runShell(t, j.root, j.line), j)
			want, ok := results[j]
			want = normal(want, j)
			if !got.refused && (!ok || !same(got, want)) {
				want = normal(p.run(t, j.root, j.line), j)
			}
			isAbove := strings.Contains(string(got.errors)+got.Output, outside) || isOutside(want, j.root)
			if !isAbove || same(got, want) {
				y.add(t, j.line, got, want)
			}
		}
	})
}

// outside is in the error about a path above the root, which only the real programs see.
const outside = "outside the directories of this server"

// parents are lines about the directory above the root, which only the real programs see.
var parents = regexp.MustCompile(`(?m)^(.*[ |])?\.\.(/|\|.*)?$\n?`)

// descriptors are the paths of process substitutions, titles those in the titles of diff.
var (
	descriptors = regexp.MustCompile(`/dev/fd/\d+`)
	titles      = regexp.MustCompile(`(?m)^(--- |\+\+\+ )(/dev/fd/\d+)\t.*$`)
)

// normal returns a result with the root at a fixed place and without what is outside.
func normal(r result, j job) result {
	r.Output = strings.ReplaceAll(r.Output, j.root, home)
	r.Output = titles.ReplaceAllString(r.Output, "$1$2")
	r.Output = descriptors.ReplaceAllString(r.Output, "/dev/fd/N")
	if strings.Contains(j.line, "ls ") {
		r.Output = parents.ReplaceAllString(r.Output, "")
	}
	return r
}

func same(a, b result) bool { return a.Output == b.Output && a.Status == b.Status }

// A tally counts lines by the commands in them.
type tally struct {
	mu                        sync.Mutex
	equal, refused, different map[string]int
	lines                     [3]int
	shown                     int
}

func newTally() *tally {
	return &tally{equal: map[string]int{}, refused: map[string]int{}, different: map[string]int{}}
}

var (
	quoted      = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	commandName = regexp.MustCompile(
		`(?:^|[|;&({]|\bdo |\bthen |xargs (?:-\S+ )*)\s*([a-z][a-z0-9]*)`)
)

// add counts a line, and reports a difference.
func (y *tally) add(t *testing.T, line string, got, want result) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	counts, index := y.different, 2
	switch {
	case got.refused:
		counts, index = y.refused, 1
	case same(got, want):
		counts, index = y.equal, 0
	}
	y.lines[index]++
	names := map[string]bool{}
	plain := quoted.ReplaceAllString(line, "'")
	for _, found := range commandName.FindAllStringSubmatch(plain, -1) {
		names[found[1]] = true
	}
	for name := range names {
		counts[name]++
	}
	if got.refused && testing.Verbose() {
		t.Logf("refused: %s\n\t%s", line, bytes.TrimSpace(got.errors))
	}
	if index < 2 {
		return
	}
	y.shown++
	if y.shown <= shown {
		t.Errorf("%s\n%s", line, difference(got, want))
	} else {
		t.Fail()
	}
}

// difference shows the first lines in which two results differ.
func difference(got, want result) string {
	a, b := strings.SplitAfter(got.Output, "\n"), strings.SplitAfter(want.Output, "\n")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	excerpt := func(lines []string, r result) string {
		text := strings.Join(lines[min(i, len(lines)):min(i+3, len(lines))], "")
		return fmt.Sprintf("status %d, from line %d: %.200q (%.200q)", r.Status, i+1, text, r.errors)
	}
	return "\t got " + excerpt(a, got) + "\n\twant " + excerpt(b, want)
}

// report logs the counts.
func (y *tally) report(t *testing.T) {
	t.Helper()
	names := map[string]bool{}
	for _, counts := range []map[string]int{y.refused, y.different} {
		for name := range counts {
			names[name] = true
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&b, "%-12s %6d equal %5d refused %5d different\n",
			name, y.equal[name], y.refused[name], y.different[name])
	}
	t.Logf("%d equal, %d refused, %d different\n%s", y.lines[0], y.lines[1], y.lines[2], b.String())
}

// forEach calls do for the numbers below n, several at a time.
func forEach(n int, do func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}

// numberOf returns a number from the environment.
func numberOf(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	testkit.Must(t, err)
	return n
}

// TestGenerated compares generated lines. GANDER_SHELL_LINES is their number: 20,000 take some
// minutes. GANDER_SHELL_SEED selects others.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts thousands of programs")
	}
	p := findPrograms(t)
	seed := uint64(numberOf(t, "GANDER_SHELL_SEED", 1))
	lines := generate(t, seed, numberOf(t, "GANDER_SHELL_LINES", 2000))
	roots := makeTrees(t)
	var jobs []job
	for i, line := range lines {
		jobs = append(jobs, job{roots[i%treeSeeds], line})
	}
	y := newTally()
	p.compare(t, y, jobs)
	y.report(t)
}

// isOutside reports whether a line has left the root, which it cannot here.
func isOutside(r result, root string) bool {
	return strings.Contains(r.Output, filepath.Dir(root))
}

// A recorded is a line with the result of the real programs in the tree of a seed.
type recorded struct {
	Line string `json:"line"`
	Tree int    `json:"tree"`
	result
}

const (
	recordedFile = "testdata/recorded.jsonl"
	maxRecorded  = 800 // bytes
)

// TestRecorded replays recorded results. -update records them again.
func TestRecorded(t *testing.T) {
	if *update {
		record(t)
	}
	data, err := os.ReadFile(recordedFile)
	testkit.Must(t, err)
	roots := makeTrees(t)
	var cases []recorded
	for text := range bytes.Lines(data) {
		var r recorded
		testkit.Must(t, json.Unmarshal(text, &r))
		cases = append(cases, r)
	}
	y := newTally()
	forEach(len(cases), func(i int) {
		j := job{roots[cases[i].Tree], cases[i].Line}
		y.add(t, j.line, normal(runShell(t, j.root, j.line), j), cases[i].result)
	})
	y.report(t)
}

// ownProperties are what depends on the system that the results are recorded on.
var ownProperties = regexp.MustCompile(
	`ls .*-[a-zA-Z]*[lstic]|stat|du |-size|-mtime|-printf|%|real|readl|pwd`)

func record(t *testing.T) {
	t.Helper()
	p := findPrograms(t)
	roots := makeTrees(t)
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for i, line := range generate(t, 7, 700) {
		if ownProperties.MatchString(line) {
			continue
		}
		seed := i % treeSeeds
		want := normal(p.run(t, roots[seed], line), job{roots[seed], line})
		hasRoot := strings.Contains(want.Output, "shm") // in another form
		if hasRoot || len(want.Output) > maxRecorded || !utf8.ValidString(want.Output) {
			continue
		}
		testkit.Must(t, encoder.Encode(recorded{line, seed, want}))
	}
	testkit.Must(t, os.WriteFile(recordedFile, b.Bytes(), 0o644))
}
