//go:build linux

// Command floor makes the system calls that a question needs at least, and does nothing else. It is measured like a server: for
// every line that it reads it makes one pass and writes one line.
//
//	floor getdents DIR     reads the records of a directory
//	floor readdir DIR      reads and sorts the entries of a directory with os.ReadDir
//	floor walk DIR         reads the records of every directory under DIR
//	floor count FILE LINE  counts line ends up to that line
//	floor nothing          exits at once
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "nothing" {
		return
	}
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	pass, err := passOf(args)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		n, err := pass()
		if err != nil {
			return err
		}
		fmt.Println(n)
	}
	return in.Err()
}

// passOf returns the pass that args describe. It returns the number of entries or lines.
func passOf(args []string) (func() (int, error), error) {
	switch {
	case len(args) == 2 && args[0] == "getdents":
		return func() (int, error) { return getdents(args[1]) }, nil
	case len(args) == 2 && args[0] == "readdir":
		return func() (int, error) {
			entries, err := os.ReadDir(args[1])
			return len(entries), err
		}, nil
	case len(args) == 2 && args[0] == "walk":
		return func() (int, error) { return walk(args[1]) }, nil
	case len(args) == 3 && args[0] == "count":
		line, err := strconv.Atoi(args[2])
		return func() (int, error) { return count(args[1], line) }, err
	default:
		return nil, fmt.Errorf("unknown arguments %q; see go doc ./bench/floor", args)
	}
}
