//go:build linux

package main

import "fmt"

// treeRows ask about a tree of very many directories.
func (k kit) treeRows() []row { return []row{k.shallow(), k.everything(), k.ignoring()} }

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
	return row{
		name:     "everything",
		question: fmt.Sprintf("Every entry, in order, of a tree of %d packages", k.data.Packages),
		programs: []program{
			k.pass("floor: openat and getdents64 of the whole tree, 1 thread", "walk", mono),
			own("gander codex/list_dir, 1 thread", onOneThread(k.unlimited(all)), goal{ratio: 1.5, peak: requestMemory}),
			own("gander codex/list_dir", k.unlimited(all), goal{peak: requestMemory}),
			k.whole("gander call codex/list_dir", all, goal{}, "--config", k.config),
			rival("find", []string{"find"}, mono),
			rival("rg --files -uu --sort path", []string{"rg"}, "--files", "-uu", "--sort", "path", mono),
			rival("fd -u", fd(), "-u", ".", mono),
			rival("tree -a", []string{"tree"}, "-a", mono),
			k.npmFirst(call{"directory_tree", args{"path": mono}}),
		},
	}
}

// ignoring is asked of commands: no tool of gander's both recurses and heeds ignore rules.
func (k kit) ignoring() row {
	mono := k.data.Mono()
	tree := func(name string, g goal, options ...string) program {
		words := append([]string{k.gander, "tree", "-a", "--gitignore"}, options...)
		return program{name: "**" + name + "**", measured: "process", measure: processIn([]string{oneThread}, append(words, mono)...), goal: g}
	}
	return row{
		name:     "ignoring",
		question: fmt.Sprintf("Every entry, in order, that no .gitignore excludes from a tree of %d packages", k.data.Packages),
		programs: []program{
			k.pass("floor: openat and getdents64 of the whole tree, 1 thread", "walk", mono),
			tree("gander tree -a --gitignore -0, 1 thread", goal{ratio: 1.6}, "-0"),
			tree("gander tree -a --gitignore, 1 thread", goal{}),
			rival("rg --files --hidden --no-require-git", []string{"rg"}, "--files", "--hidden", "--no-require-git", mono),
			rival("fd -H --no-require-git", knowing("--no-require-git", fd()), "-H", "--no-require-git", ".", mono),
			rival("tree -a --gitignore", knowing("--gitignore", []string{"tree"}), "-a", "--gitignore", mono),
		},
	}
}
