//go:build linux

package main

import "fmt"

// treeRows ask about a tree of very many directories.
func (k kit) treeRows() []row { return []row{k.shallow(), k.everything()} }

func (k kit) shallow() row {
	mono := k.data.Mono()
	nodes := call{"toolkit/tree", args{"path": "mono", "entry_kind": "all"}}
	g := goal{ratio: 0.01, peak: pageMemory}
	return row{
		name:     "shallow",
		question: fmt.Sprintf("A first look, to depth 3, at a tree of %d packages", k.data.Packages),
		programs: []program{
			k.pass("floor: openat and getdents64 of the whole tree, 1 thread", "walk", mono),
			own("gander codex/list_dir, 25 entries at depth 3", k.first(call{"codex/list_dir", args{"dir_path": mono, "depth": 3}}), g),
			own("gander toolkit/tree, 100 nodes", k.first(nodes), g),
			k.whole("gander call toolkit/tree", nodes, goal{}),
			rival("find -maxdepth 3", []string{"find"}, mono, "-maxdepth", "3"),
			rival("tree -a -L 3", []string{"tree"}, "-a", "-L", "3", mono),
		},
	}
}

func (k kit) everything() row {
	mono := k.data.Mono()
	all := call{"codex/list_dir", args{"dir_path": mono, "depth": 1000, "limit": 1_000_000_000}}
	one := k.unlimited(all)
	one.env = []string{"GOMAXPROCS=1"}
	return row{
		name:     "everything",
		question: fmt.Sprintf("Every entry, in order, of a tree of %d packages", k.data.Packages),
		programs: []program{
			k.pass("floor: openat and getdents64 of the whole tree, 1 thread", "walk", mono),
			own("gander codex/list_dir, 1 thread", one, goal{ratio: 1.5}),
			own("gander codex/list_dir", k.unlimited(all), goal{}),
			k.whole("gander call codex/list_dir", all, goal{}, "--config", k.config),
			rival("find", []string{"find"}, mono),
			rival("rg --files -uu --sort path", []string{"rg"}, "--files", "-uu", "--sort", "path", mono),
			rival("fd -u", fd(), "-u", ".", mono),
			rival("tree -a", []string{"tree"}, "-a", mono),
			k.npmFirst(call{"directory_tree", args{"path": mono}}),
		},
	}
}
