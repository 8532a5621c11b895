//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Maximum memory of a server in bytes, after a page, after a page in the middle of a directory, and
// after a large result; and of a search.
const (
	pageMemory    = 40e6
	middleMemory  = 74e6
	requestMemory = 100e6
	searchMemory  = 48e6
)

func (b *bench) rows() []row {
	return slices.Concat(b.directoryRows(), b.fileRows(), b.officialRows(), b.searchRows(), b.shellRows())
}

// emptyDirectory is the cheapest call.
func (b *bench) emptyDirectory() call {
	return call{"codex_list_dir", args{"dir_path": b.data.Path("empty")}}
}

// server returns a session of gander, with more arguments of the command, and with a call after
// others.
func (b *bench) server(more []string, timed call, before ...call) session {
	command := []string{b.gander, "mcp", "--tools", "all", "--root", b.data.Dir}
	return session{
		command: append(command, more...),
		before:  append([]call{b.emptyDirectory()}, before...), timed: timed,
	}
}

// unlimited are the arguments of gander without a limit on results.
func (b *bench) unlimited() []string { return []string{"--config", b.config} }

// ganderCall returns a program that measures a call of gander with a limit on results.
func (b *bench) ganderCall(name string, g goal, timed call, before ...call) program {
	s := b.server(nil, timed, before...)
	return program{name: "**gander " + name + "**", goal: g, measure: s.call}
}

// npm returns a program that measures a call of @modelcontextprotocol/server-filesystem.
func (b *bench) npm(timed call) program {
	p := program{name: "official MCP server"}
	if s, ok := b.node(b.npmServer, timed, b.data.Dir); ok {
		s.before = []call{{"list_directory", args{"path": b.data.Path("empty")}}}
		p.measure = s.call
	}
	return p
}

// node returns a session of a server, unless the server or Node.js is not installed.
func (b *bench) node(server string, timed call, argv ...string) (s session, installed bool) {
	node, err := exec.LookPath("node")
	s = session{command: append([]string{node, server}, argv...), timed: timed}
	return s, err == nil && server != ""
}

func (b *bench) listDir(offset, limit int) call {
	return call{
		"codex_list_dir",
		args{"dir_path": b.data.Path("wide"), "offset": offset, "limit": limit},
	}
}

// directoryRows list a large directory and a large tree.
func (b *bench) directoryRows() []row {
	wide, medium, mono := b.data.Path("wide"), b.data.Path("medium"), b.data.Path("mono")
	pass := floor("getdents64", func() error { return readDirectory(wide) })
	middle := b.data.WideNames / 2
	all := b.server(b.unlimited(), call{"gemini_list_directory", args{"path": medium}})
	return []row{
		{"first-page", fmt.Sprintf("The first of %d entries of a directory", b.data.WideNames), []program{
			pass,
			b.ganderCall("codex/list_dir", goal{ratio: 1.15, peak: pageMemory}, b.listDir(1, 25)),
			b.ganderCall("list_dir", goal{ratio: 1.15, peak: pageMemory},
				call{"gander_list_dir", args{"path": "wide"}}),
			command("ls -1", "ls", "-1", wide),
			command("rg --files", "rg", "--files", "-uu", wide),
		}},
		{"metadata", "The first page of the same, with size and time", []program{
			pass,
			b.ganderCall("list_dir", goal{ratio: 1.2, peak: pageMemory},
				call{"gander_list_dir", args{"path": "wide", "details": true}}),
			b.ganderCall("forge/list_directory",
				goal{ratio: 1.15, plus: 400 * time.Microsecond, peak: pageMemory},
				call{"forge_list_directory", args{"path": "wide"}}),
			command("ls -la", "ls", "-la", wide),
			b.npm(call{"list_directory_with_sizes", args{"path": wide}}),
		}},
		{"middle-page", "25 entries in the middle of the same", []program{
			pass,
			b.ganderCall("codex/list_dir", goal{ratio: 1.5, peak: middleMemory}, b.listDir(middle, 25)),
		}},
		{"gemini", fmt.Sprintf("%d names in the order of localeCompare", b.data.MediumNames), []program{
			floor("getdents64", func() error { return readDirectory(medium) }),
			// No page bounds it: each name gets a key of the collation, is sorted by that and is written.
			{"**gander gemini/list_directory**", goal{ratio: 4, peak: requestMemory}, all.call},
		}},
		{"tree", fmt.Sprintf("A look at a tree of %d packages", b.data.Packages), []program{
			floor("openat and getdents64", func() error { return readTree(mono) }),
			b.ganderCall("codex/list_dir, 25 entries to depth 3",
				goal{ratio: 0.01, peak: pageMemory},
				call{"codex_list_dir", args{"dir_path": mono, "depth": 3}}),
			b.ganderCall("list_dir", goal{ratio: 0.02, peak: pageMemory},
				call{"gander_list_dir", args{"path": "mono", "depth": 3}}),
		}},
	}
}

// fileRows read a large file.
func (b *bench) fileRows() []row {
	text := b.data.Path("text")
	line := b.data.Lines / 5 * 4
	first, last := strconv.Itoa(line), strconv.Itoa(line+99)
	lines := call{"codex_read_file", args{"file_path": text, "offset": line, "limit": 100}}
	afterEnd := args{"file_path": text, "offset": 2 * b.data.Lines}
	behind := b.server(b.unlimited(), call{"codex_read_file", afterEnd})
	behind.refusal = "offset exceeds file length"
	endless := b.server(b.unlimited(),
		call{"codex_read_file", args{"file_path": b.data.Path("endless")}})
	return []row{
		{"middle-lines", fmt.Sprintf("100 lines from line %d of %d", line, b.data.Lines), []program{
			floor("pread of 256 KiB", func() error { return countLines(text, line) }),
			b.ganderCall("codex/read_file", goal{ratio: 1.15, peak: pageMemory}, lines),
			command("tail and head", "sh", "-c", `tail -n +"$1" "$2" | head -n 100`, "sh", first, text),
			command("sed -n", "sed", "-n", first+","+last+"p;"+last+"q", text),
			command("batcat -r", "batcat", "-p", "-r", first+":"+last, text),
		}},
		{"count-lines", fmt.Sprintf("A line after the last of %d", b.data.Lines), []program{
			command("wc -l", "wc", "-l", text),
			{"**gander codex/read_file**", goal{ratio: 1.1, peak: pageMemory}, behind.call},
		}},
		{"cancel", "A line of 100 GB, from the cancellation to the next result", []program{
			b.ganderCall("an empty directory", goal{}, b.emptyDirectory()),
			{"**gander codex/read_file**", goal{plus: 50 * time.Millisecond}, endless.cancel},
		}},
	}
}

// officialRows make the same calls to the official filesystem server and to gander.
func (b *bench) officialRows() []row {
	var paths []string
	for i := range 100 {
		name := fmt.Sprintf("package000/part0/file%02d.go", i)
		paths = append(paths, filepath.Join(b.data.Path("files"), name))
	}
	small := call{"list_directory", args{"path": b.data.Path("small")}}
	official := program{name: "official MCP server"}
	if s, ok := b.node(b.npmServer, small, b.data.Dir); ok {
		official.measure = s.start
	}
	rows := []row{{"official-start", "From the start of a server to its first result", []program{
		official,
		{"**gander**", goal{ratio: 0.1, peak: 20e6}, b.filesystem(small).start},
	}}}
	for _, c := range []struct {
		name  string
		ratio float64
		call  call
	}{
		{"tree", 0.1, call{"directory_tree", args{"path": filepath.Join(b.data.Path("mono"), "apps")}}},
		{"search", 0.1, call{
			"search_files",
			args{"path": b.data.Path("files"), "pattern": "**/file42.go"},
		}},
		{"files", 1, call{"read_multiple_files", args{"paths": paths}}},
		{"head", 1, call{"read_text_file", args{"path": b.data.Path("text"), "head": 100}}},
		{"tail", 1, call{"read_text_file", args{"path": b.data.Path("text"), "tail": 100}}},
		{"sizes", 0.1, call{"list_directory_with_sizes", args{"path": b.data.Path("wide")}}},
	} {
		limited, unlimited := b.filesystem(c.call), b.filesystem(c.call)
		limited.before = []call{small}
		unlimited.before = limited.before
		unlimited.command = append(unlimited.command, b.unlimited()...)
		rows = append(rows, row{"official-" + c.name, "`" + c.call.Tool + "`", []program{
			b.npm(c.call),
			{"**gander, without a limit**", goal{ratio: c.ratio}, unlimited.call},
			{"**gander, at most 100 KiB**", goal{ratio: c.ratio, peak: 64e6}, limited.call},
		}})
	}
	return rows
}

// filesystem returns a session of gander with the tools of the official server.
func (b *bench) filesystem(timed call) session {
	return session{
		command: []string{b.gander, "mcp", "--root", b.data.Dir, "--tools", "filesystem"},
		timed:   timed,
	}
}

// A search is a search of a file or tree for a pattern.
type search struct {
	name, pattern string
	ratio         float64 // the maximum, relative to rg
}

// nothing returns a pattern without matches. Go's source could otherwise contain it.
func nothing() string { return "zzz" + "qqqxxx" }

// searchRows search Go's source, many small files and one large file.
func (b *bench) searchRows() []row {
	var rows []row
	add := func(what, root, path string, searches ...search) {
		for _, s := range searches {
			question := fmt.Sprintf("The lines of the %s with %q", what, s.pattern)
			g := goal{ratio: s.ratio, peak: searchMemory}
			rows = append(rows, row{"search-shared-" + what + "-" + s.name, question, []program{
				command("rg -n", "rg", "-n", s.pattern, filepath.Join(root, path)),
				b.searchAll("all processors", "0", g, root, path, s.pattern),
				b.searchAll("no workers", "-1", goal{}, root, path, s.pattern),
			}})
		}
	}
	add("source", b.source, ".",
		search{"nothing", nothing(), 1}, search{"literal", "Handler", 1},
		search{"ignoring-case", "(?i)readfull", 1},
		search{"inner-literal", `\bfunc \w+Handler\(`, 1}, search{"2-words", "Reader|Writer", 1},
		search{"5-words", "Mutex|Cond|WaitGroup|Once|Pool", 1.1},
		search{"classes", `\w{5}\s+\w{5}\s+\w{9}`, 1.1}, search{"anchor", `^\s*func`, 1.1},
		search{"exploding", `\w.{40}\d.{40}[A-Z]Q`, 3})
	add("files", b.data.Path("files"), ".",
		search{"nothing", nothing(), 1}, search{"literal", "ctx.Handler", 1},
		search{"ignoring-case", "(?i)ctx.handler", 1},
		search{"5-words", "ctx.path|buf.node|err.size|index.count|name.value", 1.1})
	add("log", b.data.Dir, "log",
		search{"nothing", nothing(), 1.3}, search{"literal", "/api/v2/users/4711 ", 1.3},
		search{"ignoring-case", "(?i)/API/V2/users/4711 ", 1.3}, search{"many-lines", "ERROR", 1.3},
		search{"anchor", "^2026-02-29", 1.3},
		search{"5-words", "FATAL|panic|timeout|refused|unknown", 1.3},
		search{"counted", `[0-9a-f]{16}`, 1.3})
	const pipe = `rg -n --sort path func "$1" | head -n 100`
	first := call{"search_text", args{"pattern": "func", "limit": 100}}
	page := command("**gander search**", b.gander, "search", "--root", b.data.Path("small"), "func")
	page.goal = goal{ratio: 1, plus: 50 * time.Millisecond}
	rows = append(rows,
		row{"search-first", "The first 100 lines of the source with func", []program{
			command("rg -n", "rg", "-n", "func", b.source),
			command("rg --sort path and head", "sh", "-c", pipe, "sh", b.source),
			{"**gander search_text**", goal{ratio: 0.6, peak: searchMemory}, b.searchText(first).call},
		}},
		row{"search-start", "The lines of a small directory with func", []program{
			command("rg -n", "rg", "-n", "func", b.data.Path("small")), page,
		}})
	return append(rows, b.searchServer())
}

// searchAll returns a search that prints all lines.
func (b *bench) searchAll(name, workers string, g goal, root, path, pattern string) program {
	p := command("**gander, "+name+"**", b.search, workers, root, path, pattern)
	p.goal = g
	return p
}

// searchServer compares MCP servers that search. The memory of mcp-ripgrep excludes rg.
func (b *bench) searchServer() row {
	const pattern = `\bfunc \w+Handler\(`
	rg := call{"search", args{"pattern": pattern, "path": b.source}}
	ours := call{"search_text", args{"pattern": pattern, "limit": 100_000, "context": 0}}
	other := program{name: "mcp-ripgrep"}
	if s, ok := b.node(b.ripgrepServer, rg); ok {
		s.before = []call{rg}
		other.measure = s.call
	}
	return row{"search-server", "The functions of Go's source with a name", []program{
		other, {"**gander search_text**", goal{peak: searchMemory}, b.searchText(ours).call},
	}}
}

// searchText returns a session with two equal calls on Go's source.
func (b *bench) searchText(c call) session {
	return session{
		command: []string{b.gander, "mcp", "--root", b.source, "--config", b.config},
		before:  []call{c}, timed: c,
	}
}
