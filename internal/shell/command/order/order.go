// Package order has the commands on sorted lines: sort, uniq and comm.
package order

import "gander/internal/shell/command"

// Commands returns the commands of the package.
func Commands() []command.Command {
	return []command.Command{
		command.New("sort", "[FILE]...", 2, sortOptions, prepareSort),
		command.New("uniq", "[FILE]", 1, "-c --count, -d --repeated, -u --unique, -i --ignore-case",
			prepareUniq),
		command.New("comm", "FILE FILE", 1, "-1, -2, -3", prepareComm),
	}
}

// keep returns a copy of text in the memory of held.
func keep(a *command.Account, held, text []byte) []byte {
	if len(text) > cap(held) {
		size := 2 * len(text)
		a.Grab(size)
		a.Drop(cap(held))
		held = make([]byte, 0, size)
	}
	return append(held[:0], text...)
}
