// Package order has the commands on sorted lines: sort, uniq and comm.
package order

import "gander/internal/shell/command"

// Commands returns the commands of the package.
func Commands() []command.Command {
	return []command.Command{
		command.New("sort", "[FILE]...", 2, sortOptions, prepareSort),
		command.New("uniq", "[FILE]", 1, "-c --count, -d --repeated, -D, -u --unique, "+
			"-i --ignore-case, -f= --skip-fields=, -s= --skip-chars=, -w= --check-chars=, "+
			"-z --zero-terminated", prepareUniq),
		command.New("comm", "FILE FILE", 1, "-1, -2, -3, --check-order, --nocheck-order, "+
			"--output-delimiter=, -z --zero-terminated", prepareComm),
	}
}

// lineEnd returns what ends a line, which -z changes.
func lineEnd(a command.Arguments) byte {
	if a.Has("-z") {
		return 0
	}
	return '\n'
}
