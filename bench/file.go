//go:build linux

package main

import (
	"fmt"
	"strconv"
	"time"
)

// fileRows ask about a file of very many lines.
func (k kit) fileRows() []row {
	return []row{k.middleLines(), k.laterLines(), k.firstLines(), k.countLines()}
}

func (k kit) middleLines() row {
	text, line := k.data.Text(), k.middle()
	last := line + 99
	lines := k.lines(line)
	g := goal{ratio: 1.15, peak: pageMemory}
	return row{
		name:     "middle-lines",
		question: fmt.Sprintf("100 lines from line %d of a file of %d", line, k.data.Lines),
		programs: []program{
			k.pass("floor: pread 256 KiB and bytes.Count, 1 thread", "count", text, strconv.Itoa(line)),
			own("gander codex/read_file", k.first(lines), g),
			own("gander codex/read_file, 1 thread", onOneThread(k.first(lines)), g),
			k.whole("gander call codex/read_file", lines, goal{}),
			rival("tail -n +N \\| head", []string{"sh"}, "-c", `tail -n +"$1" "$2" | head -n 100`, "sh", strconv.Itoa(line), text),
			rival("sed -n", []string{"sed"}, "-n", fmt.Sprintf("%d,%dp;%dq", line, last, last), text),
			rival("bat -r", bat(), "-p", "-r", fmt.Sprintf("%d:%d", line, last), text),
		},
	}
}

func (k kit) laterLines() row {
	line := k.middle()
	repeated := func(before, c call) session {
		s := k.later(before, c)
		s.times = 25
		return s
	}
	g := goal{ratio: 1, plus: 100 * time.Microsecond}
	return row{
		name:     "later-lines",
		question: fmt.Sprintf("Lines of a file of %d lines, of which lines at %d were read before", k.data.Lines, line),
		factor:   2,
		programs: []program{
			{name: "gander, an empty directory", measured: "call", measure: repeated(k.lines(line), k.nothing()).call},
			own("gander codex/read_file, the same 100 lines", repeated(k.lines(line), k.lines(line)), g),
			own("gander codex/read_file, 100 lines elsewhere before them", repeated(k.lines(line), k.lines(line/2)), g),
		},
	}
}

func (k kit) firstLines() row {
	text := k.data.Text()
	g := goal{ratio: 1, plus: 500 * time.Microsecond, peak: pageMemory}
	lines := call{"codex/read_file", args{"file_path": text, "limit": 100}}
	return row{
		name:     "first-lines",
		question: fmt.Sprintf("The first 100 lines of a file of %d, and of one of 40", k.data.Lines),
		factor:   4,
		programs: []program{
			{name: "gander, an empty directory", measured: "call", measure: k.first(k.nothing()).call},
			own("gander codex/read_file, the long file", k.first(lines), g),
			own("gander codex/read_file, the short file", k.first(call{"codex/read_file", args{
				"file_path": k.data.SmallFile(), "limit": 100,
			}}), g),
			k.whole("gander call codex/read_file, the long file", lines, goal{}),
			rival("head -n 100", []string{"head"}, "-n", "100", text),
			rival("sed 100q", []string{"sed"}, "100q", text),
			rival("bat -r :100", bat(), "-p", "-r", ":100", text),
			k.npmFirst(call{"read_text_file", args{"path": text, "head": 100}}),
		},
	}
}

// countLines asks for a line behind the last one. Only who has counted them all can say that there is none.
func (k kit) countLines() row {
	text, behind := k.data.Text(), 2*k.data.Lines
	counting := onOneThread(k.first(k.lines(behind)))
	counting.wanted = refused("bad_arguments", "offset exceeds file length")
	return row{
		name:     "count-lines",
		question: fmt.Sprintf("Whether a file of %d lines has a line %d", k.data.Lines, behind),
		programs: []program{
			rival("wc -l", []string{"wc"}, "-l", text),
			own("gander codex/read_file, 1 thread", counting, goal{ratio: 1.1, peak: pageMemory}),
			k.pass("floor: pread 256 KiB and bytes.Count, 1 thread", "count", text, strconv.Itoa(behind)),
		},
	}
}

// middle is line 20,000,000 of the file at full scale.
func (k kit) middle() int { return k.data.Lines / 25_072 * 20_000 }

func (k kit) lines(from int) call {
	return call{"codex/read_file", args{"file_path": k.data.Text(), "offset": from, "limit": 100}}
}
