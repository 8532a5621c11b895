//go:build linux

package main

import (
	"fmt"
	"path/filepath"
)

// smallAnswerMemory bounds what gander may need for an answer that is small, in bytes.
const smallAnswerMemory = 64e6

// officialRows make the same calls to the official filesystem server and to gander in its place, as the same client.
func (b bench) officialRows() []row {
	text := b.data.Text()
	return []row{
		b.officialStart(),
		b.official("tree", fmt.Sprintf("A tree of %d packages as JSON", b.data.Packages/10), 0.1,
			call{"directory_tree", args{"path": filepath.Join(b.data.Mono(), "apps")}}),
		b.official("search", fmt.Sprintf("The files with one name among %d", b.data.TextFiles), 0.1,
			call{"search_files", args{"path": b.data.Files(), "pattern": "**/file42.go"}}),
		b.official("files", "100 files of 0 to 8 KB", 1,
			call{"read_multiple_files", args{"paths": b.hundredFiles()}}),
		b.official("head", fmt.Sprintf("The first 100 lines of a file of %d", b.data.Lines), 1,
			call{"read_text_file", args{"path": text, "head": 100}}),
		b.official("tail", fmt.Sprintf("The last 100 lines of a file of %d", b.data.Lines), 1,
			call{"read_text_file", args{"path": text, "tail": 100}}),
		b.official("sizes", fmt.Sprintf("A directory of %d entries, with their sizes", b.data.WideNames), 0.1,
			call{"list_directory_with_sizes", args{"path": b.data.Wide()}}),
	}
}

// officialStart asks how long it takes until a model has its first answer, and the memory after that.
func (b bench) officialStart() row {
	return row{
		name:     "official-start",
		question: "From the start of the server to the answer to its first call, a directory of 24 entries",
		repeat:   2,
		programs: []program{
			b.npm(b.npmList(), "start", func(s session) measurement { return s.start }),
			{
				name: "**gander mcp --tools filesystem**", measured: "start",
				measure: b.mcpCall(b.npmList(), "--tools", "filesystem").start, goal: goal{ratio: 0.1, peak: 20e6},
			},
		},
	}
}

// official compares a call. The original answers in full, whatever the size, and so does gander without its limits; as it comes,
// gander cuts the answer at 100 KiB.
func (b bench) official(name, question string, ratio float64, c call) row {
	return row{
		name:     "official-" + name,
		question: question + ", by `" + c.tool + "`",
		programs: []program{
			b.npmFirst(c),
			ganderCall("gander, all of the answer", b.filesystemCall(c, "--config", b.config), goal{ratio: ratio}),
			ganderCall("gander, at most 100 KiB", b.filesystemCall(c), goal{ratio: ratio, peak: smallAnswerMemory}),
		},
	}
}

// filesystemCall returns a call to a gander mcp in place of the official server, after one other call.
func (b bench) filesystemCall(c call, options ...string) session {
	s := b.mcpCall(c, append(options, "--tools", "filesystem")...)
	s.before = []call{{"list_directory", args{"path": b.data.Empty()}}}
	return s
}

// hundredFiles returns the paths of 100 files of text.
func (b bench) hundredFiles() []string {
	var paths []string
	for i := range 100 {
		paths = append(paths, filepath.Join(b.data.Files(), "package000", "part0", fmt.Sprintf("file%02d.go", i)))
	}
	return paths
}
