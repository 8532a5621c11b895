//go:build linux

package main

// draws asks for what a person looks at, on a small directory: nearly all of it is what starting a program costs. The Go
// program that does nothing is the least that gander can take.
func (k kit) draws() row {
	small := k.data.Small()
	return row{
		name:     "draw",
		question: "A directory of 24 entries, drawn as a tree by a command",
		factor:   4,
		programs: []program{
			rival("tree", []string{"tree"}, small),
			{name: "**gander tree**", measured: "process", measure: process(k.gander, "tree", small), goal: goal{ratio: 1.5}},
			{name: "floor: a Go program that does nothing", measured: "process", measure: process(k.floor, "nothing")},
			rival("eza --tree", []string{"eza"}, "--tree", small),
			rival("exa --tree", []string{"exa"}, "--tree", small),
			rival("lsd --tree", []string{"lsd"}, "--tree", small),
		},
	}
}
