//go:build linux

package main

import (
	"path"
	"strings"
)

// A question is what somebody wants to know of a repository, and what must be on the screen before it is answered. The same explorer asks
// it of every toolset: it knows the question and what the answers so far have told, and nothing else.
type question struct {
	repository string
	text       string
	want       []string // what must be on the screen
	explore    func(*explorer)
}

// questions returns all questions. Truth about the repositories, with which answers are compared, comes from f.
func questions(f facts) []question {
	where := func(repository, text, pattern, glob, guess string, want ...string) question {
		return question{repository, text, want, func(e *explorer) { e.where(pattern, glob, guess) }}
	}
	readAll := func(repository, file string) question {
		return question{repository, "Read " + file + " to the end.", f.ends(repository, file), func(e *explorer) { e.readAll(file) }}
	}
	listAll := func(repository, dir string) question {
		return question{repository, "List everything in " + path.Join(repository, dir) + ".", f.names(repository, dir), func(e *explorer) { e.all(step{do: list, path: dir}) }}
	}
	one := func(repository, text string, s step, want ...string) question {
		return question{repository, text, want, func(e *explorer) { e.all(s) }}
	}
	return []question{
		where("go", "Where is io.Copy defined?", `^func Copy\(`, "*.go", "io.go", "func Copy(dst Writer, src Reader)"),
		where("go", "Where is the type RWMutex defined, with its fields?", `^type RWMutex struct`, "*.go", "rwmutex.go", "type RWMutex struct", "readerCount"),
		where("go", "Show the function that panics with \"negative WaitGroup counter\".", `negative WaitGroup counter`, "*.go", "waitgroup.go", "func (wg *WaitGroup) Add(delta int)", "negative WaitGroup counter"),
		where("go", "What does strings.Builder.Grow do?", `^func \(b \*Builder\) Grow`, "*.go", "builder.go", "func (b *Builder) Grow(n int)", "negative count"),
		where("go", "Which error does a second ServeMux pattern of the same name give?", `conflicts with pattern`, "*.go", "servemux*.go", "conflicts with pattern"),
		where("go", "Where is GOMAXPROCS read from the environment?", `gogetenv\("GOMAXPROCS"\)`, "*.go", "proc.go", `gogetenv("GOMAXPROCS")`),
		where("go", "Which test covers bufio.Scanner with long lines?", `func Test.*LongLines?\(`, "*_test.go", "scan_test.go", "func TestScanLongLines("),
		{"go", "Which files call MakeNoZero?", f.files("go", "bytealg.MakeNoZero(", ".go"), func(e *explorer) { e.all(step{do: names, pattern: `bytealg\.MakeNoZero\(`, glob: "*.go"}) }},
		{"go", "How many deprecations has each file of net/http?", f.counts("go", "net/http", "Deprecated:"), func(e *explorer) {
			e.all(step{do: counts, pattern: "Deprecated:", path: "net/http"})
		}},
		listAll("go", "net/http"),
		listAll("go", ""),
		one("go", "Which packages are in crypto, and in those?", step{do: tree, path: "crypto"}, "elliptic", "hkdf", "fips140test"),
		one("go", "Where are the go.mod files?", step{do: find, pattern: "go.mod"}, "cmd/go.mod", "go.mod"),
		one("go", "Which files are about timezones?", step{do: find, pattern: "*zoneinfo*.go"}, "zoneinfo_read.go", "zoneinfo_windows.go"),
		readAll("go", "reflect/all_test.go"),
		{"go", "Show lines 5000 to 5040 of reflect/all_test.go.", f.lines("go", "reflect/all_test.go", 5000, 5040), func(e *explorer) { e.all(step{do: read, path: "reflect/all_test.go", from: 5000, n: 41}) }},
		{"go", "Show the last 20 lines of net/http/server.go.", f.last("go", "net/http/server.go", 20), func(e *explorer) { e.end("net/http/server.go", 20) }},
		{"go", "Read net/http/servr.go (which is misspelt).", []string{"package http", "HTTP server. See RFC 7230"}, func(e *explorer) { e.misspelt("net/http", "servr.go", "server.go") }},
		where("self", "Where is a change of deny patterns described?", `deny pattern`, "*.md", "*.md", "deny pattern"),
		where("self", "Where does the workspace open a component?", `func \(p Place\) File\(`, "*.go", "*place*.go", "func (p Place) File("),
		where("self", "Show the code around errStopped's definition.", `errStopped = errors`, "*.go", "search.go", "the consumer has stopped", "func searchNamed"),
		{"self", "Which files mention openat2?", f.files("self", "openat2", ".md"), func(e *explorer) { e.all(step{do: names, pattern: "openat2", glob: "*.md"}) }},
		one("self", "What is in this project, two levels deep?", step{do: tree}, "cmd", "gander.go", "dialects", "engine", "boundary"),
		listAll("self", "docs"),
		one("self", "Where is the example configuration?", step{do: find, pattern: "*example*.toml"}, "gander.example.toml"),
		{"self", "What is the module called, and which Go does it need?", f.lines("self", "go.mod", 1, 3), func(e *explorer) { e.all(step{do: read, path: "go.mod", n: 10}) }},
		where("js", "Where is class Vector3 defined, and what has its constructor?", `^class Vector3`, "*.js", "Vector3.js", "class Vector3", "constructor( x = 0, y = 0, z = 0 )"),
		where("js", "How does a quaternion act on a vector?", `applyQuaternion\( q \) \{`, "Vector3.js", "Vector3.js", "applyQuaternion( q )", "quaternion q is assumed to have unit length"),
		{"js", "Which files import mergeVertices?", f.files("js", "mergeVertices", ".js"), func(e *explorer) { e.all(step{do: names, pattern: "mergeVertices", glob: "*.js"}) }},
		one("js", "Where are the orbit controls?", step{do: find, pattern: "OrbitControls*"}, "controls/OrbitControls.js"),
		one("js", "Which loaders are there?", step{do: find, pattern: "*Loader.js", path: "examples"}, "GLTFLoader.js", "PLYLoader.js", "VOXLoader.js"),
		{"js", "Which version is it?", []string{`"version": "`}, func(e *explorer) { e.all(step{do: read, path: "package.json", n: 20}) }},
		where("js", "Which minified library misses a visitor method?", `Missing visitor method`, "*.min.js", "*.min.js", "chevrotain.module.min.js", "Missing visitor method"),
		where("js", "What is the default field of view of a perspective camera?", `constructor\( fov =`, "PerspectiveCamera.js", "PerspectiveCamera.js", "fov = 50"),
		listAll("made", "many"),
		{"made", "Which three files changed last?", []string{"many/file-4711.txt", "odd/empty.txt", "odd/page.html"}, func(e *explorer) { e.all(step{do: newest, n: 3}) }},
		one("made", "Show the picture.", step{do: look, path: "odd/picture.png"}, "image/png"),
		one("made", "What is in the empty file?", step{do: read, path: "odd/empty.txt"}),
		one("made", "How large is the archive?", step{do: describe, path: "odd/archive.bin"}, "123456\x00123,456\x00120.6"),
		{"made", "What does the UTF-16 file say?", []string{"grüße aus dem jahr 1999"}, func(e *explorer) { e.all(step{do: read, path: "odd/old.txt"}) }},
	}
}

// An explorer asks one question of one toolset, through a host.
type explorer struct {
	*session
	host     int // the most characters of an answer that the host passes on; 0 is any number
	question question
	screen   strings.Builder
	steps    int
}

// mostCalls is when an explorer gives up.
const mostCalls = 30

// answered reports whether all that is wanted is on the screen, or the explorer has given up.
func (e *explorer) answered() bool { return e.found() || e.steps >= mostCalls }

func (e *explorer) found() bool {
	screen := e.screen.String()
	for _, want := range e.question.want {
		alternatives := strings.Split(want, "\x00")
		seen := false
		for _, a := range alternatives {
			seen = seen || strings.Contains(screen, a)
		}
		if !seen {
			return false
		}
	}
	return true
}

// do makes a step and returns what the answer names. It reports false if the toolset has no tool for it.
func (e *explorer) do(s step) (hits []hit, last call, answer string, ok bool) {
	c, ok := e.tools.translate(e.root, s)
	if !ok {
		return nil, c, "", false
	}
	answer = e.ask(c)
	return e.tools.hits(e.root, answer), c, answer, true
}

// hostMark is at the end of an answer that the host has cut.
const hostMark = "\n[the host has cut the rest]"

// ask makes a call and puts on the screen what the host passes on of the answer.
func (e *explorer) ask(c call) string {
	answer := e.session.ask(c)
	if all := []rune(answer); e.host > 0 && len(all) > e.host && !e.tools.own {
		answer = string(all[:e.host]) + hostMark
	}
	e.steps++
	e.screen.WriteString(answer + "\n")
	return answer
}

// all makes a step, and goes on as long as the answers offer more. Where the toolset has no tool for two levels, it lists each
// directory.
func (e *explorer) all(s step) {
	_, c, answer, ok := e.do(s)
	if !ok && s.do == tree {
		_, _, answer, _ = e.do(step{do: list, path: s.path})
		for _, name := range directories(answer) {
			if !e.answered() {
				e.do(step{do: list, path: path.Join(s.path, name)})
			}
		}
	}
	for ok && !e.answered() {
		if c, ok = e.tools.more(c, answer); ok {
			answer = e.ask(c)
		}
	}
}

// directories returns the names in a listing that are marked as directories.
func directories(answer string) (names []string) {
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "[DIR] "); ok {
			names = append(names, name)
		} else if name, ok := strings.CutSuffix(line, "/"); ok {
			names = append(names, name)
		}
	}
	return names
}

// where searches for a pattern, and reads around the first places that the answer names until the question is answered. Without a
// tool that searches, it finds the files whose name it guesses, and reads them.
func (e *explorer) where(pattern, glob, guess string) {
	hits, _, _, ok := e.do(step{do: search, pattern: pattern, glob: glob})
	if !ok {
		hits, _, _, _ = e.do(step{do: find, pattern: guess})
	}
	seen := map[hit]bool{}
	for _, h := range hits {
		if e.answered() {
			return
		}
		if seen[h] || h.line == 0 && named(hits, h.path) {
			continue
		}
		seen[h] = true
		if h.line > 0 {
			e.all(step{do: read, path: h.path, from: max(h.line-50, 1), n: 100, block: h.line})
		} else {
			e.all(step{do: read, path: h.path})
		}
	}
}

// named reports whether one of the hits has a line of a file.
func named(hits []hit, file string) bool {
	for _, h := range hits {
		if h.path == file && h.line > 0 {
			return true
		}
	}
	return false
}

// readAll reads a file to the end.
func (e *explorer) readAll(file string) { e.all(step{do: read, path: file}) }

// end reads the last lines of a file: all of it, if there is no tool for them.
func (e *explorer) end(file string, n int) {
	if _, _, _, ok := e.do(step{do: tail, path: file, n: n}); !ok {
		e.readAll(file)
	}
}

// misspelt reads a file of which the name is wrong. If the error does not tell the right one, it is in the listing.
func (e *explorer) misspelt(dir, wrong, right string) {
	_, _, answer, _ := e.do(step{do: read, path: path.Join(dir, wrong), n: 40})
	if !strings.Contains(answer, right) {
		e.do(step{do: list, path: dir})
	}
	if strings.Contains(e.screen.String(), right) {
		e.all(step{do: read, path: path.Join(dir, right), n: 40})
	}
}
