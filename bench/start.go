//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// startRows ask about next to nothing: what the program costs by itself.
func (k kit) startRows() []row {
	small := args{"path": "small"}
	return []row{
		k.calls(),
		k.draws(),
		k.greetings(),
		k.starts(),
		k.warm("empty", "An empty directory", "toolkit/tree", call{"tree", args{"path": "empty"}}),
		k.warm("tree", "A directory of 24 entries", "toolkit/tree", k.overview()),
		k.warm("list", "A directory of 24 entries with metadata", "forge/list_directory", call{"list_directory", small}),
		k.warm("read", "A file of 40 lines", "codex/read_file", call{"read_file", args{"file_path": k.data.SmallFile()}}),
	}
}

func (k kit) calls() row {
	small := k.data.Small()
	g := goal{plus: 4 * time.Millisecond}
	return row{
		name:     "call",
		question: "A directory of 24 entries, or a file of 40 lines in it, by a command",
		factor:   4,
		programs: []program{
			{name: "floor: a Go program that does nothing", measured: "process", measure: process(k.floor, "nothing")},
			k.whole("gander call codex/list_dir", call{"codex/list_dir", args{"dir_path": small}}, g),
			k.whole("gander call forge/list_directory", call{"forge/list_directory", args{"path": "small"}}, g),
			k.whole("gander call toolkit/tree", call{"toolkit/tree", args{"path": "small", "entry_kind": "all"}}, g),
			k.whole("gander call codex/read_file", call{"codex/read_file", args{"file_path": k.data.SmallFile()}}, g),
			rival("ls", []string{"ls"}, small),
			rival("tree", []string{"tree"}, small),
			rival("eza", []string{"eza"}, small),
			rival("exa", []string{"exa"}, small),
			rival("lsd", []string{"lsd"}, small),
			rival("fd", fd(), ".", small),
			rival("rg --files", []string{"rg"}, "--files", small),
			rival("bat", bat(), "-p", k.data.SmallFile()),
			rival("node -e 0", []string{"node"}, "-e", "0"),
		},
	}
}

// echoes is a session with a server of the SDK that gander uses, with one tool that does nothing.
func (k kit) echoes() session {
	return session{words: []string{k.echo}, protocol: mcpProtocol{}, timed: hello()}
}

func (k kit) greetings() row {
	return row{
		name:     "initialize",
		question: "An MCP server, from its spawn to the answer to initialize",
		factor:   4,
		programs: []program{
			{name: "a server of the same SDK with one tool", measured: "start", measure: k.echoes().greeting},
			{name: "**gander mcp**", measured: "start", measure: k.mcp(k.overview()).greeting, goal: goal{ratio: 1.3}},
			k.npm(k.npmList(), "start", func(s session) measurement { return s.greeting }),
		},
	}
}

func (k kit) starts() row {
	return row{
		name:     "start",
		question: "A server, from its spawn to the answer to its first call; its memory when it idles then",
		factor:   4,
		programs: []program{
			{name: "echo tool of the same SDK", measured: "start", measure: k.echoes().start},
			{
				name: "**gander mcp, tree**", measured: "start", measure: k.mcp(k.overview()).start,
				goal: goal{plus: 8 * time.Millisecond, peak: 20e6},
			},
			{name: "**gander jsonl, an empty directory**", measured: "start", measure: k.first(k.nothing()).start},
			k.npm(k.npmList(), "start", func(s session) measurement { return s.start }),
		},
	}
}

// warm compares a call with an echo tool that answers the very same text.
func (k kit) warm(name, question string, id string, c call) row {
	echo := session{words: []string{k.echo, k.answer(id, c)}, protocol: mcpProtocol{}, timed: call{"echo", args{"text": ""}}}
	return row{
		name:     "warm-" + name,
		question: question + ", by a server that has answered before",
		factor:   2,
		programs: []program{
			{name: "echo tool of the same SDK, the same text", measured: "call", measure: warmed(echo).call},
			own("gander mcp, "+c.tool, warmed(k.mcp(c)), goal{ratio: 1.3}),
			k.npm(k.npmList(), "call", func(s session) measurement { return warmed(s).call }),
		},
	}
}

// answer makes a call once and returns the path of a file with its answer.
func (k kit) answer(id string, c call) string {
	path := filepath.Join(filepath.Dir(k.config), strings.ReplaceAll(id, "/", "-")+".answer")
	content, err := exec.Command(k.gander, "call", "--root", k.data.Dir, id, encode(c.args)).Output()
	if err == nil {
		err = os.WriteFile(path, content, 0o644)
	}
	if err != nil {
		return filepath.Join(path, "missing") // the echo tool says what is missing where it is measured
	}
	return path
}

// warmed is a session whose call is made often, and measured once it has been made some times.
func warmed(s session) session {
	s.before = slices.Repeat([]call{s.timed}, 20)
	s.times = 200
	return s
}

func hello() call { return call{"echo", args{"text": "hello"}} }

func (k kit) overview() call { return call{"tree", args{"path": "small", "entry_kind": "all"}} }

func (k kit) npmList() call { return call{"list_directory", args{"path": k.data.Small()}} }
