//go:build linux

package main

import (
	"fmt"
	"time"
)

// directoryRows ask about one directory with very many entries.
func (k kit) directoryRows() []row {
	return []row{k.firstPage(), k.metadata(), k.middlePage(), k.allNames(), k.gemini()}
}

// pageMemory is the most that a server may have in memory after a first page, in bytes. cacheMemory is what it may keep
// beyond that for later ones. requestMemory is the most whatever is asked for.
const (
	pageMemory    = 40e6
	cacheMemory   = 32 << 20
	requestMemory = 100e6
)

func (k kit) firstPage() row {
	wide := k.data.Wide()
	g := goal{ratio: 1.15, peak: pageMemory}
	return row{
		name:     "first-page",
		question: fmt.Sprintf("The first entries, in order, of a directory of %d", k.data.WideNames),
		programs: []program{
			k.pass("floor: getdents64, 32 KiB", "getdents", wide),
			own("gander codex/list_dir, 25 entries", k.first(k.listDir(wide, 1, 25)), g),
			own("gander toolkit/tree, 1000 nodes", k.first(call{"toolkit/tree", args{
				"path": "wide", "entry_kind": "all", "max_entries": 1000,
			}}), g),
			own("gander gemini/list_directory, by localeCompare, 100 KiB shown", k.first(call{"gemini/list_directory", args{
				"path": wide,
			}}), goal{ratio: 1.3, peak: pageMemory}),
			k.whole("gander call codex/list_dir", k.listDir(wide, 1, 25), goal{}),
			k.pass("Go os.ReadDir", "readdir", wide),
			rival("rg --files -uu", []string{"rg"}, "--files", "-uu", wide),
			rival("fd -u", fd(), "-u", ".", wide),
			rival("find", []string{"find"}, wide),
			rival("ls -f", []string{"ls"}, "-f", wide),
			rival("ls -1", []string{"ls"}, "-1", wide),
			k.npmFirst(call{"list_directory", args{"path": wide}}),
		},
	}
}

func (k kit) metadata() row {
	wide := k.data.Wide()
	return row{
		name:     "metadata",
		question: fmt.Sprintf("The first 200 entries of a directory of %d, with size and time", k.data.WideNames),
		programs: []program{
			k.pass("floor: getdents64, 32 KiB", "getdents", wide),
			own("gander forge/list_directory", k.first(call{"forge/list_directory", args{"path": "wide"}}),
				goal{ratio: 1.15, plus: 200 * 2 * time.Microsecond, peak: pageMemory}),
			rival("ls -la", []string{"ls"}, "-la", wide),
			k.npmFirst(call{"list_directory_with_sizes", args{"path": wide}}),
		},
	}
}

func (k kit) middlePage() row {
	wide, middle := k.data.Wide(), k.data.WideNames/2
	again := goal{ratio: 0.02}
	deep := k.listDir(wide, middle, 25)
	return row{
		name:     "middle-page",
		question: fmt.Sprintf("25 entries from number %d of a directory of %d", middle, k.data.WideNames),
		programs: []program{
			k.pass("floor: getdents64, 32 KiB", "getdents", wide),
			own("gander codex/list_dir", k.first(deep), goal{ratio: 1.5, peak: pageMemory + cacheMemory}),
			own("gander, the same again", k.later(deep, deep), again),
			own("gander, the page after it", k.later(deep, k.listDir(wide, middle+25, 25)), again),
			own("gander, the second page, after the first", k.later(k.listDir(wide, 1, 25), k.listDir(wide, 26, 25)), again),
			own("gander, the first page, after the first", k.later(k.listDir(wide, 1, 25), k.listDir(wide, 1, 25)), again),
		},
	}
}

func (k kit) allNames() row {
	wide := k.data.Wide()
	all := k.unlimited(k.listDir(wide, 1, 1_000_000_000))
	all.timed.args["depth"] = 1
	return row{
		name:     "all-names",
		question: fmt.Sprintf("All %d names of a directory, in order", k.data.WideNames),
		programs: []program{
			k.pass("floor: getdents64, 32 KiB", "getdents", wide),
			own("gander codex/list_dir, 1 thread", onOneThread(all), goal{ratio: 1.7, peak: requestMemory}),
			own("gander codex/list_dir", all, goal{peak: requestMemory}),
			rival("find", []string{"find"}, wide),
			rival("ls -f", []string{"ls"}, "-f", wide),
			rival("ls -1", []string{"ls"}, "-1", wide),
		},
	}
}

func (k kit) gemini() row {
	medium := k.data.Medium()
	list := call{"gemini/list_directory", args{"path": medium}}
	g := goal{ratio: 1.5}
	return row{
		name:     "gemini",
		question: fmt.Sprintf("All %d entries of a directory, by localeCompare", k.data.MediumNames),
		factor:   2,
		programs: []program{
			k.pass("floor: getdents64, 32 KiB", "getdents", medium),
			own("gander gemini/list_directory, 100 KiB shown", k.first(list), g),
			own("gander gemini/list_directory, all shown", k.unlimited(list), goal{ratio: 1.5, peak: requestMemory}),
			rival("ls -1", []string{"ls"}, "-1", medium),
			k.npmFirst(call{"list_directory", args{"path": medium}}),
		},
	}
}

func (k kit) listDir(path string, offset, limit int) call {
	return call{"codex/list_dir", args{"dir_path": path, "offset": offset, "limit": limit}}
}
