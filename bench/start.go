//go:build linux

package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// startRows ask about very little: they measure what starting and speaking a protocol cost.
func (b bench) startRows() []row {
	return []row{
		b.commandRow(),
		b.initializeRow(),
		b.startRow(),
		b.warmRow("empty", "An empty directory", call{"toolkit/tree", args{"path": "empty"}}),
		b.warmRow("tree", "A directory of 24 entries", call{"toolkit/tree", args{"path": "small", "entry_kind": "all"}}),
		b.warmRow("list", "A directory of 24 entries with metadata", call{"forge/list_directory", args{"path": "small"}}),
		b.warmRow("read", "A file of 40 lines", call{"codex/read_file", args{"file_path": b.data.SmallFile()}}),
	}
}

func (b bench) commandRow() row {
	small := b.data.Small()
	g := goal{plus: 4 * time.Millisecond}
	return row{
		name:     "call",
		question: "A directory of 24 entries, or a file of 40 lines in it, by a command",
		repeat:   4,
		programs: []program{
			{name: "floor: a Go program that does nothing", measured: "process", measure: process(b.floor, "nothing")},
			b.ganderCommand("gander call codex/list_dir", call{"codex/list_dir", args{"dir_path": small}}, g),
			b.ganderCommand("gander call forge/list_directory", call{"forge/list_directory", args{"path": "small"}}, g),
			b.ganderCommand("gander call toolkit/tree", call{"toolkit/tree", args{"path": "small", "entry_kind": "all"}}, g),
			b.ganderCommand("gander call codex/read_file", call{"codex/read_file", args{"file_path": b.data.SmallFile()}}, g),
			rival("ls", []string{"ls"}, small),
			rival("tree", []string{"tree"}, small),
			rival("eza", []string{"eza"}, small),
			rival("exa", []string{"exa"}, small),
			rival("lsd", []string{"lsd"}, small),
			rival("fd", fd(), ".", small),
			rival("rg --files", []string{"rg"}, "--files", small),
			rival("bat", bat(), "-p", b.data.SmallFile()),
			rival("node -e 0", []string{"node"}, "-e", "0"),
		},
	}
}

// echoCall returns a session with a server of the SDK that gander uses, with one tool that does nothing.
func (b bench) echoCall() session {
	return session{command: []string{b.echo}, protocol: mcpProtocol{}, timed: echoTool()}
}

func (b bench) initializeRow() row {
	return row{
		name:     "initialize",
		question: "An MCP server, from its start to the answer to initialize",
		repeat:   4,
		programs: []program{
			{name: "a server of the same SDK with one tool", measured: "start", measure: b.echoCall().initialization},
			{name: "**gander mcp**", measured: "start", measure: b.mcpCall(call{}).initialization, goal: goal{ratio: 1.3}},
			b.npm(b.npmList(), "start", func(s session) measurement { return s.initialization }),
		},
	}
}

func (b bench) startRow() row {
	return row{
		name:     "start",
		question: "A server, from its start to the answer to its first call, and its memory after that",
		repeat:   4,
		programs: []program{
			{name: "echo tool of the same SDK", measured: "start", measure: b.echoCall().start},
			{
				name: "**gander mcp, list_dir**", measured: "start", measure: b.mcpCall(call{"list_dir", args{"path": "small"}}).start,
				goal: goal{plus: 8 * time.Millisecond, peak: 20e6},
			},
			b.npm(b.npmList(), "start", func(s session) measurement { return s.start }),
		},
	}
}

// warmRow compares a call with a call of an echo tool that answers the same text.
func (b bench) warmRow(name, question string, c call) row {
	echo := session{command: []string{b.echo, b.answer(c)}, protocol: mcpProtocol{}, timed: call{"echo", args{"text": ""}}}
	overMCP := b.mcpCall(call{path.Base(c.tool), c.args}, "--tools", c.tool)
	return row{
		name:     "warm-" + name,
		question: question + ", by a server that has answered calls before",
		repeat:   2,
		programs: []program{
			{name: "echo tool of the same SDK, the same text", measured: "call", measure: warm(echo).call},
			ganderCall("gander mcp, "+c.tool, warm(overMCP), goal{ratio: 1.3}),
			b.npm(b.npmList(), "call", func(s session) measurement { return warm(s).call }),
		},
	}
}

// answer makes a call once and returns the path of a file that holds the answer.
func (b bench) answer(c call) string {
	file := filepath.Join(filepath.Dir(b.config), strings.ReplaceAll(c.tool, "/", "-")+".answer")
	content, err := exec.Command(b.gander, "call", "--root", b.data.Dir, c.tool, encode(c.args)).Output()
	if err == nil {
		err = os.WriteFile(file, content, 0o644)
	}
	if err != nil {
		return filepath.Join(file, "missing") // measuring the echo tool will say what is missing
	}
	return file
}

// warm returns s with its call made 20 times before, and measured 200 times.
func warm(s session) session {
	s.before = slices.Repeat([]call{s.timed}, 20)
	s.times = 200
	return s
}

func echoTool() call { return call{"echo", args{"text": "hello"}} }

func (b bench) npmList() call { return call{"list_directory", args{"path": b.data.Small()}} }
