//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// searchMemory bounds what a search may need, in bytes.
const searchMemory = 64e6

// searchPatterns are the patterns that are searched for in source, each with the ratio to ripgrep that is the goal with one thread.
var searchPatterns = []struct {
	name, pattern string
	ratio         float64
}{
	{"nothing", "zzz" + "qqqxxx", 0.9},
	{"literal", "Handler", 0.9},
	{"ignoring-case", "(?i)readfull", 0.9},
	{"inner-literal", `\bfunc \w+Handler\(`, 0.9},
	{"alternation", "Mutex|Cond|WaitGroup|Once|Pool", 1.1},
	{"classes", `\w{5}\s+\w{5}\s+\w{9}`, 1.1},
	{"words", `\bif\b.*\bnil\b`, 1.4},
	{"dotted-digits", `\d+\.\d+\.\d+\.\d+`, 1.4},
	{"exploding", `(a|b|c)*d.{50}e`, 3},
}

// searchRows search Go's source, and the file of very many lines. Without Go's source there are only those of the file.
func (b bench) searchRows() []row {
	rows := []row{b.searchFile()}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return rows
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	for _, p := range searchPatterns {
		rows = append(rows, b.searchSource(src, p.name, p.pattern, p.ratio))
	}
	return append(rows, b.searchTwice(src), b.searchFirst(src))
}

func (b bench) searchSource(src, name, pattern string, ratio float64) row {
	return row{
		name:     "search-" + name,
		question: fmt.Sprintf("The lines of Go's source that match `%s`", strings.ReplaceAll(pattern, "|", `\|`)),
		programs: []program{
			searcher("rg -n -j1", nil, "rg", "-n", "-j1", pattern, src),
			b.ganderSearch("1 thread", 1, goal{ratio: ratio, peak: searchMemory}, src, pattern),
			searcher("rg -n -j1 --sort path", nil, "rg", "-n", "-j1", "--sort", "path", pattern, src),
			searcher("git grep -n -P, 1 thread", nil, "git", "-C", src, "grep", "--no-index", "--threads=1", "-n", "-P", "-e", pattern),
			searcher("grep -rnP", nil, "grep", "-rnP", pattern, src),
		},
	}
}

// searchTwice searches with two threads.
func (b bench) searchTwice(src string) row {
	pattern := searchPatterns[0].pattern
	return row{
		name:     "search-2-threads",
		question: "The lines of Go's source that match nothing, with two threads",
		programs: []program{
			searcher("rg -n -j2", nil, "rg", "-n", "-j2", pattern, src),
			b.ganderSearch("in order", 2, goal{ratio: 1.2, peak: searchMemory}, src, pattern),
		},
	}
}

func (b bench) searchFirst(src string) row {
	return row{
		name:     "search-first",
		question: "The first 100 lines with a common word, in the order of paths",
		programs: []program{
			searcher("rg --sort path \\| head", nil, "sh", "-c", `rg -n --sort path func "$1" | head -n 100`, "sh", src),
			b.ganderSearch("--limit 100", 1, goal{ratio: 0.6, peak: searchMemory}, src, "--limit=100", "func"),
		},
	}
}

func (b bench) searchFile() row {
	text, pattern := b.data.Text(), searchPatterns[0].pattern
	return row{
		name:     "search-file",
		question: fmt.Sprintf("The lines of one file of %d that match nothing", b.data.Lines),
		programs: []program{
			searcher("rg -n", nil, "rg", "-n", pattern, text),
			b.ganderSearch("1 thread", 1, goal{ratio: 1.5, peak: searchMemory}, b.data.Dir, pattern, "text"),
			searcher("grep -nP", nil, "grep", "-nP", pattern, text),
		},
	}
}

// ganderSearch returns a search by gander with so many threads.
func (b bench) ganderSearch(name string, threads int, g goal, root string, args ...string) program {
	command := append([]string{b.gander, "search", "--root", root}, args...)
	p := searcher("", []string{fmt.Sprintf("GOMAXPROCS=%d", threads)}, command...)
	p.name, p.goal = "**gander search, "+name+"**", g
	return p
}

// searcher returns a command that searches, and exits with 1 if it finds nothing. env is added to its environment.
func searcher(shown string, env []string, command ...string) program {
	p := program{name: "`" + shown + "`", measured: "process"}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return p
	}
	p.measure = func(ctx context.Context) (sample, error) {
		cmd := exec.CommandContext(ctx, path, command[1:]...)
		cmd.Env = append(os.Environ(), env...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		start := time.Now()
		err := cmd.Run()
		took := time.Since(start)
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1 || stderr.Len() > 0) {
			return sample{}, fmt.Errorf("%w: %.200s", err, stderr.String())
		}
		return sample{took: took, peak: peakOf(cmd.ProcessState)}, nil
	}
	return p
}
