//go:build linux

package main

import (
	"fmt"
	"time"
)

// directoryRows ask about one directory with very many entries.
func (b bench) directoryRows() []row {
	return []row{b.firstPage(), b.metadata(), b.middlePage(), b.allNames(), b.gemini()}
}

// Bounds on a server's memory, in bytes.
const (
	pageMemory    = 40e6     // after a first page
	cacheMemory   = 32 << 20 // kept on top of that for later pages
	requestMemory = 100e6    // whatever is asked for
)

func (b bench) firstPage() row {
	wide := b.data.Wide()
	g := goal{ratio: 1.15, peak: pageMemory}
	return row{
		name:     "first-page",
		question: fmt.Sprintf("The first entries, in order, of a directory of %d", b.data.WideNames),
		programs: []program{
			b.floorPass("floor: getdents64, 32 KiB", "getdents", wide),
			ganderCall("gander codex/list_dir, 25 entries", b.firstCall(b.listDir(wide, 1, 25)), g),
			ganderCall("gander gander/list_dir, 40,000 characters", b.firstCall(call{"gander/list_dir", args{"path": "wide"}}), g),
			ganderCall("gander toolkit/tree, 1000 nodes", b.firstCall(call{"toolkit/tree", args{
				"path": "wide", "entry_kind": "all", "max_entries": 1000,
			}}), g),
			ganderCall("gander gemini/list_directory, by localeCompare, 100 KiB shown", b.firstCall(call{"gemini/list_directory", args{
				"path": wide,
			}}), goal{ratio: 1.3, peak: pageMemory}),
			b.ganderCommand("gander call codex/list_dir", b.listDir(wide, 1, 25), goal{}),
			b.floorPass("Go os.ReadDir", "readdir", wide),
			rival("rg --files -uu", []string{"rg"}, "--files", "-uu", wide),
			rival("fd -u", fd(), "-u", ".", wide),
			rival("find", []string{"find"}, wide),
			rival("ls -f", []string{"ls"}, "-f", wide),
			rival("ls -1", []string{"ls"}, "-1", wide),
			b.npmFirst(call{"list_directory", args{"path": wide}}),
		},
	}
}

func (b bench) metadata() row {
	wide := b.data.Wide()
	return row{
		name:     "metadata",
		question: fmt.Sprintf("The first 200 entries of a directory of %d, with size and time", b.data.WideNames),
		programs: []program{
			b.floorPass("floor: getdents64, 32 KiB", "getdents", wide),
			ganderCall("gander forge/list_directory", b.firstCall(call{"forge/list_directory", args{"path": "wide"}}),
				goal{ratio: 1.15, plus: 200 * 2 * time.Microsecond, peak: pageMemory}),
			rival("ls -la", []string{"ls"}, "-la", wide),
			b.npmFirst(call{"list_directory_with_sizes", args{"path": wide}}),
		},
	}
}

func (b bench) middlePage() row {
	wide, middle := b.data.Wide(), b.data.WideNames/2
	again := goal{ratio: 0.02}
	deep := b.listDir(wide, middle, 25)
	return row{
		name:     "middle-page",
		question: fmt.Sprintf("25 entries from number %d of a directory of %d", middle, b.data.WideNames),
		programs: []program{
			b.floorPass("floor: getdents64, 32 KiB", "getdents", wide),
			ganderCall("gander codex/list_dir", b.firstCall(deep), goal{ratio: 1.5, peak: pageMemory + cacheMemory}),
			ganderCall("gander, the same again", b.laterCall(deep, deep), again),
			ganderCall("gander, the page after it", b.laterCall(deep, b.listDir(wide, middle+25, 25)), again),
			ganderCall("gander, the second page, after the first", b.laterCall(b.listDir(wide, 1, 25), b.listDir(wide, 26, 25)), again),
			ganderCall("gander, the first page, after the first", b.laterCall(b.listDir(wide, 1, 25), b.listDir(wide, 1, 25)), again),
		},
	}
}

func (b bench) allNames() row {
	wide := b.data.Wide()
	all := b.unlimitedCall(b.listDir(wide, 1, 1_000_000_000))
	all.timed.args["depth"] = 1
	return row{
		name:     "all-names",
		question: fmt.Sprintf("All %d names of a directory, in order", b.data.WideNames),
		programs: []program{
			b.floorPass("floor: getdents64, 32 KiB", "getdents", wide),
			ganderCall("gander codex/list_dir, 1 thread", oneThread(all), goal{ratio: 1.7, peak: requestMemory}),
			ganderCall("gander codex/list_dir", all, goal{peak: requestMemory}),
			rival("find", []string{"find"}, wide),
			rival("ls -f", []string{"ls"}, "-f", wide),
			rival("ls -1", []string{"ls"}, "-1", wide),
		},
	}
}

func (b bench) gemini() row {
	medium := b.data.Medium()
	list := call{"gemini/list_directory", args{"path": medium}}
	g := goal{ratio: 1.5}
	return row{
		name:     "gemini",
		question: fmt.Sprintf("All %d entries of a directory, by localeCompare", b.data.MediumNames),
		repeat:   2,
		programs: []program{
			b.floorPass("floor: getdents64, 32 KiB", "getdents", medium),
			ganderCall("gander gemini/list_directory, 100 KiB shown", b.firstCall(list), g),
			ganderCall("gander gemini/list_directory, all shown", b.unlimitedCall(list), goal{ratio: 1.5, peak: requestMemory}),
			rival("ls -1", []string{"ls"}, "-1", medium),
			b.npmFirst(call{"list_directory", args{"path": medium}}),
		},
	}
}

func (b bench) listDir(path string, offset, limit int) call {
	return call{"codex/list_dir", args{"dir_path": path, "offset": offset, "limit": limit}}
}
