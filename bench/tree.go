//go:build linux

package main

import "fmt"

// treeRows ask about a tree of very many directories.
func (b bench) treeRows() []row { return []row{b.shallow(), b.everything()} }

func (b bench) shallow() row {
	mono := b.data.Mono()
	nodes := call{"toolkit/tree", args{"path": "mono", "entry_kind": "all"}}
	g := goal{ratio: 0.01, peak: pageMemory}
	return row{
		name:     "shallow",
		question: fmt.Sprintf("A first look, to depth 3, at a tree of %d packages", b.data.Packages),
		programs: []program{
			b.floorPass("floor: openat and getdents64 of the whole tree, 1 thread", "walk", mono),
			ganderCall("gander codex/list_dir, 25 entries at depth 3", b.firstCall(call{"codex/list_dir", args{"dir_path": mono, "depth": 3}}), g),
			ganderCall("gander gander/list_dir, 100 entries to depth 3", b.firstCall(call{"gander/list_dir", args{"path": "mono", "depth": 3, "limit": 100}}), g),
			ganderCall("gander gander/list_dir, 40,000 characters to depth 3", b.firstCall(call{"gander/list_dir", args{"path": "mono", "depth": 3}}), goal{ratio: 0.02, peak: pageMemory}),
			ganderCall("gander toolkit/tree, 100 nodes", b.firstCall(nodes), g),
			b.ganderCommand("gander call toolkit/tree", nodes, goal{}),
			rival("find -maxdepth 3", []string{"find"}, mono, "-maxdepth", "3"),
			rival("tree -a -L 3", []string{"tree"}, "-a", "-L", "3", mono),
		},
	}
}

func (b bench) everything() row {
	mono := b.data.Mono()
	all := call{"codex/list_dir", args{"dir_path": mono, "depth": 1000, "limit": 1_000_000_000}}
	return row{
		name:     "everything",
		question: fmt.Sprintf("Every entry, in order, of a tree of %d packages", b.data.Packages),
		programs: []program{
			b.floorPass("floor: openat and getdents64 of the whole tree, 1 thread", "walk", mono),
			ganderCall("gander codex/list_dir, 1 thread", oneThread(b.unlimitedCall(all)), goal{ratio: 1.5, peak: requestMemory}),
			ganderCall("gander codex/list_dir", b.unlimitedCall(all), goal{peak: requestMemory}),
			b.ganderCommand("gander call codex/list_dir", all, goal{}, "--config", b.config),
			rival("find", []string{"find"}, mono),
			rival("rg --files -uu --sort path", []string{"rg"}, "--files", "-uu", "--sort", "path", mono),
			rival("fd -u", fd(), "-u", ".", mono),
			rival("tree -a", []string{"tree"}, "-a", mono),
			b.npmFirst(call{"directory_tree", args{"path": mono}}),
		},
	}
}
