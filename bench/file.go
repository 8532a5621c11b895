//go:build linux

package main

import (
	"fmt"
	"strconv"
	"time"
)

// fileRows ask about a file of very many lines.
func (b bench) fileRows() []row {
	return []row{b.middleLines(), b.laterLines(), b.firstLines(), b.countLines()}
}

func (b bench) middleLines() row {
	text, line := b.data.Text(), b.middle()
	last := line + 99
	lines := b.lines(line)
	g := goal{ratio: 1.15, peak: pageMemory}
	return row{
		name:     "middle-lines",
		question: fmt.Sprintf("100 lines from line %d of a file of %d", line, b.data.Lines),
		programs: []program{
			b.floorPass("floor: pread 256 KiB and bytes.Count, 1 thread", "count", text, strconv.Itoa(line)),
			ganderCall("gander codex/read_file", b.firstCall(lines), g),
			ganderCall("gander codex/read_file, 1 thread", oneThread(b.firstCall(lines)), g),
			ganderCall("gander gander/read_file", b.firstCall(call{"gander/read_file", args{"path": "text", "offset": line, "limit": 100}}), g),
			b.ganderCommand("gander call codex/read_file", lines, goal{}),
			rival("tail -n +N \\| head", []string{"sh"}, "-c", `tail -n +"$1" "$2" | head -n 100`, "sh", strconv.Itoa(line), text),
			rival("sed -n", []string{"sed"}, "-n", fmt.Sprintf("%d,%dp;%dq", line, last, last), text),
			rival("bat -r", bat(), "-p", "-r", fmt.Sprintf("%d:%d", line, last), text),
		},
	}
}

func (b bench) laterLines() row {
	line := b.middle()
	repeated := func(before, c call) session {
		s := b.laterCall(before, c)
		s.times = 25
		return s
	}
	g := goal{ratio: 1, plus: 100 * time.Microsecond}
	return row{
		name:     "later-lines",
		question: fmt.Sprintf("Lines of a file of %d lines, of which lines at %d were read before", b.data.Lines, line),
		repeat:   2,
		programs: []program{
			{name: "gander, an empty directory", measured: "call", measure: repeated(b.lines(line), b.emptyDirectory()).call},
			ganderCall("gander codex/read_file, the same 100 lines", repeated(b.lines(line), b.lines(line)), g),
			ganderCall("gander codex/read_file, 100 lines elsewhere before them", repeated(b.lines(line), b.lines(line/2)), g),
		},
	}
}

func (b bench) firstLines() row {
	text := b.data.Text()
	g := goal{ratio: 1, plus: 500 * time.Microsecond, peak: pageMemory}
	lines := call{"codex/read_file", args{"file_path": text, "limit": 100}}
	return row{
		name:     "first-lines",
		question: fmt.Sprintf("The first 100 lines of a file of %d, and of one of 40", b.data.Lines),
		repeat:   4,
		programs: []program{
			{name: "gander, an empty directory", measured: "call", measure: b.firstCall(b.emptyDirectory()).call},
			ganderCall("gander codex/read_file, the long file", b.firstCall(lines), g),
			ganderCall("gander codex/read_file, the short file", b.firstCall(call{"codex/read_file", args{
				"file_path": b.data.SmallFile(), "limit": 100,
			}}), g),
			b.ganderCommand("gander call codex/read_file, the long file", lines, goal{}),
			rival("head -n 100", []string{"head"}, "-n", "100", text),
			rival("sed 100q", []string{"sed"}, "100q", text),
			rival("bat -r :100", bat(), "-p", "-r", ":100", text),
			b.npmFirst(call{"read_text_file", args{"path": text, "head": 100}}),
		},
	}
}

// countLines asks for a line after the last one: all lines must be counted to answer.
func (b bench) countLines() row {
	text, behind := b.data.Text(), 2*b.data.Lines
	counting := oneThread(b.firstCall(b.lines(behind)))
	counting.checkTimed = refused("offset exceeds file length")
	return row{
		name:     "count-lines",
		question: fmt.Sprintf("Whether a file of %d lines has a line %d", b.data.Lines, behind),
		programs: []program{
			rival("wc -l", []string{"wc"}, "-l", text),
			ganderCall("gander codex/read_file, 1 thread", counting, goal{ratio: 1.1, peak: pageMemory}),
			b.floorPass("floor: pread 256 KiB and bytes.Count, 1 thread", "count", text, strconv.Itoa(behind)),
		},
	}
}

// middle returns the number of a line in the middle: 20,000,000 at full scale.
func (b bench) middle() int { return b.data.Lines / 25_072 * 20_000 }

func (b bench) lines(from int) call {
	return call{"codex/read_file", args{"file_path": b.data.Text(), "offset": from, "limit": 100}}
}
