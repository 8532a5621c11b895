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

// searchMemory is the maximum peak memory of a search on one processor, in bytes, and sharedMemory of a
// search on all.
const searchMemory, sharedMemory = 64e6, 48e6

// A searchPattern is searched for. Its ratio to ripgrep is the goal with one thread.
type searchPattern struct {
	name, pattern string
	ratio         float64
}

// nothing is in none of the data. It is not written here as it is searched for.
const nothing = "zzz" + "qqqxxx"

// sourcePatterns are searched for in Go's source.
var sourcePatterns = []searchPattern{
	{"nothing", nothing, 0.9},
	{"literal", "Handler", 0.9},
	{"ignoring-case", "(?i)readfull", 0.9},
	{"inner-literal", `\bfunc \w+Handler\(`, 0.9},
	{"2-words", "Reader|Writer", 1.1},
	{"5-words", "Mutex|Cond|WaitGroup|Once|Pool", 1.1},
	{"30-words", "Mutex|Cond|WaitGroup|Once|Pool|Listener|Dialer|Resolver|Handler|Server|Client|Transport|Cookie|Header|Request|Response|Scanner|" +
		"Buffer|Builder|Replacer|Template|Encoder|Decoder|Marshal|Unmarshal|Tokenize|Parser|Visitor|Walker|Printer", 1.1},
	{"no-literal", "[0-9a-f]{16}", 1.1},
	{"classes", `\w{5}\s+\w{5}\s+\w{9}`, 1.1},
	{"anchor", `^\s*func`, 1.1},
	{"words", `\bif\b.*\bnil\b`, 1.4},
	{"dotted-digits", `\d+\.\d+\.\d+\.\d+`, 1.4},
	{"exploding", `(a|b|c)*d.{50}e`, 3},
	{"exploding-more", `\w.{40}\d.{40}[A-Z]Q`, 3},
}

// filesPatterns are searched for in a tree of many files.
var filesPatterns = []searchPattern{
	{"nothing", nothing, 0.9},
	{"literal", "ctx.Handler", 0.9},
	{"ignoring-case", "(?i)ctx.handler", 0.9},
	{"5-words", "ctx.path|buf.node|err.size|index.count|name.value", 1.1},
	{"anchor", `^\t\treturn`, 1.1},
}

// logPatterns are searched for in one large file.
var logPatterns = []searchPattern{
	{"nothing", nothing, 1.5},
	{"literal", "/api/v2/users/4711 ", 1.5},
	{"ignoring-case", "(?i)/API/V2/users/4711 ", 1.5},
	{"many-lines", "ERROR", 1.5},
	{"anchor", "^2026-02-29", 1.5},
	{"5-words", "FATAL|panic|timeout|refused|unknown", 1.5},
	{"dotted-digits", `10\.(\d+)\.\d+\.255 `, 1.5},
}

// goSource returns the directory of Go's source, or "".
func goSource(ctx context.Context) string {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return filepath.Join(strings.TrimSpace(string(root)), "src")
}

// searchRows search Go's source, many files, and one large file. Without Go's source there are only the others.
func (b bench) searchRows() []row {
	rows := []row{b.searchText()}
	log := b.data.Log()
	for _, p := range append(logPatterns[:len(logPatterns):len(logPatterns)], searchPattern{name: "counted", pattern: `[0-9a-f]{16}`}) {
		rows = append(rows, b.searchShared("log", "a log", filepath.Dir(log), filepath.Base(log), p, 1.3))
	}
	for _, p := range filesPatterns[:4] {
		rows = append(rows, b.searchShared("files", fmt.Sprintf("%d files", b.data.TextFiles), b.data.Files(), ".", p, 1))
	}
	for _, p := range logPatterns {
		rows = append(rows, b.searchLog(p))
	}
	for _, p := range filesPatterns {
		rows = append(rows, b.searchTree("files", fmt.Sprintf("%d files", b.data.TextFiles), b.data.Files(), p))
	}
	rows = append(rows, b.searchNewest(), b.searchNames(), b.searchFirst("start", "A small directory, searched as in search-first", b.data.Small(), goal{}))
	src := b.source
	if src == "" {
		return rows
	}
	for _, p := range sourcePatterns {
		rows = append(rows, b.searchTree("source", "Go's source", src, p))
	}
	for i, p := range sourcePatterns[:6] {
		ratio := 1.0
		if i == 5 {
			ratio = 1.1
		}
		rows = append(rows, b.searchShared("source", "Go's source", src, ".", p, ratio))
	}
	first := "The first 100 lines of Go's source with a common word, in the order of paths"
	return append(rows, b.searchFirst("first", first, src, goal{ratio: 0.6, peak: searchMemory}), b.searchServer(src))
}

// shown returns a pattern for a cell of a table.
func (p searchPattern) shown() string {
	return "`" + strings.ReplaceAll(p.pattern, "|", `\|`) + "`"
}

func (b bench) searchTree(name, what, dir string, p searchPattern) row {
	return row{
		name:     "search-" + name + "-" + p.name,
		question: fmt.Sprintf("The lines of %s that match %s", what, p.shown()),
		programs: []program{
			searcher("rg -n -j1", nil, "rg", "-n", "-j1", p.pattern, dir),
			b.searchAll("1 thread", 1, goal{ratio: p.ratio, peak: searchMemory}, dir, ".", p.pattern),
			searcher("rg -n -j1 --sort path", nil, "rg", "-n", "-j1", "--sort", "path", p.pattern, dir),
			searcher("git grep -n -P, 1 thread", nil, "git", "-C", dir, "grep", "--no-index", "--threads=1", "-n", "-P", "-e", p.pattern),
			searcher("grep -rnP", nil, "grep", "-rnP", p.pattern, dir),
		},
	}
}

// searchShared searches with all processors.
func (b bench) searchShared(name, what, root, path string, p searchPattern, ratio float64) row {
	return row{
		name:     "search-shared-" + name + "-" + p.name,
		question: fmt.Sprintf("The lines of %s that match %s, with all processors", what, p.shown()),
		programs: []program{
			searcher("rg -n", nil, "rg", "-n", p.pattern, filepath.Join(root, path)),
			b.searchAll("all processors", 0, goal{ratio: ratio, peak: sharedMemory}, root, path, p.pattern),
			b.searchAll("1 thread", 1, goal{}, root, path, p.pattern),
		},
	}
}

func (b bench) searchFirst(name, question, dir string, g goal) row {
	return row{
		name:     "search-" + name,
		question: question,
		repeat:   4,
		programs: []program{
			searcher("rg --sort path \\| head", nil, "sh", "-c", `rg -n --sort path func "$1" | head -n 100`, "sh", dir),
			ganderSearch("search --limit 100", 1, g, b.gander, "search", "--root", dir, "--limit=100", "func"),
		},
	}
}

// searchServer compares search tools of MCP servers. mcp-ripgrep runs rg with a thread for each processor, and its memory does not
// include that of rg.
func (b bench) searchServer(src string) row {
	p := sourcePatterns[3]
	rg := call{"search", args{"pattern": p.pattern, "path": src}}
	ours := call{"search_text", args{"pattern": p.pattern, "limit": 100_000, "context": 0}}
	return row{
		name:     "search-server",
		question: fmt.Sprintf("The lines of Go's source that match %s, by the search tool of an MCP server that has answered this before", p.shown()),
		programs: []program{
			nodeServer("mcp-ripgrep", b.ripgrepServer, nil, rg, "call", func(s session) measurement {
				s.before = []call{rg}
				return s.call
			}),
			ganderCall("gander mcp, search_text", session{
				command:  []string{b.gander, "mcp", "--root", src, "--config", b.config},
				protocol: mcpProtocol{}, before: []call{ours}, timed: ours,
			}, goal{peak: searchMemory}),
		},
	}
}

// searchNames compares finding by name in MCP servers.
func (b bench) searchNames() row {
	gander := b.mcpCall(call{"find_files", args{"path": b.data.Files(), "pattern": "**/file42.go", "limit": 100_000}}, "--config", b.config)
	gander.before = []call{{"list_dir", args{"path": b.data.Empty()}}}
	return row{
		name:     "search-names",
		question: fmt.Sprintf("The files with one name among %d, by the search tool of an MCP server", b.data.TextFiles),
		programs: []program{
			b.npmFirst(call{"search_files", args{"path": b.data.Files(), "pattern": "**/file42.go"}}),
			ganderCall("gander mcp, find_files", gander, goal{peak: searchMemory}),
		},
	}
}

func (b bench) searchNewest() row {
	dir := b.data.Files()
	return row{
		name:     "search-newest",
		question: "The 100 newest files with a common word",
		programs: []program{
			searcher("rg -l --sortr modified \\| head", nil, "sh", "-c", `rg -l --sortr modified Handler "$1" | head -n 100`, "sh", dir),
			ganderSearch("call codex/grep_files", 1, goal{ratio: 0.6, peak: searchMemory}, b.gander, "call", "--root", dir,
				"codex/grep_files", encode(args{"pattern": "Handler", "limit": 100})),
		},
	}
}

// searchText searches a file of letters, all of which are about as common.
func (b bench) searchText() row {
	return b.searchNamed("text", fmt.Sprintf("a file of %d lines of random letters", b.data.Lines), b.data.Text(), searchPattern{"nothing", nothing, 1.5})
}

func (b bench) searchLog(p searchPattern) row {
	return b.searchNamed("log", fmt.Sprintf("a log of %d lines", b.data.Requests), b.data.Log(), p)
}

// searchNamed searches one file.
func (b bench) searchNamed(name, what, path string, p searchPattern) row {
	return row{
		name:     "search-" + name + "-" + p.name,
		question: fmt.Sprintf("The lines of %s that match %s", what, p.shown()),
		programs: []program{
			searcher("rg -n -j1", nil, "rg", "-n", "-j1", p.pattern, path),
			b.searchAll("1 thread", 1, goal{ratio: p.ratio, peak: searchMemory}, filepath.Dir(path), filepath.Base(path), p.pattern),
			searcher("rg -n -j1 --no-mmap", nil, "rg", "-n", "-j1", "--no-mmap", p.pattern, path),
			searcher("grep -nP", nil, "grep", "-nP", p.pattern, path),
		},
	}
}

// searchAll returns a search by gander that prints all lines of a path relative to root. With 0 threads
// it uses all processors.
func (b bench) searchAll(name string, threads int, g goal, root, path, pattern string) program {
	workers := "0"
	if threads == 1 {
		workers = "-1"
	}
	return ganderSearch("Search, "+name, threads, g, b.search, workers, root, path, pattern)
}

// ganderSearch returns a command of gander with so many threads.
func ganderSearch(name string, threads int, g goal, command ...string) program {
	var env []string
	if threads > 0 {
		env = []string{fmt.Sprintf("GOMAXPROCS=%d", threads)}
	}
	p := searcher("", env, command...)
	p.name, p.goal = "**gander "+name+"**", g
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
		if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
			return sample{}, fmt.Errorf("%w: %.200s", err, stderr.String())
		}
		return processSample(took, cmd.ProcessState), nil
	}
	return p
}
