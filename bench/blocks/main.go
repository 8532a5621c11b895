// Command blocks reads functions as JSON lines, which functions.mjs prints, asks read_file for the
// block around a line of each, and prints a table by language: how many blocks show the whole
// function, how many nothing else, and how many lines they have.
//
//	go run ./bench/blocks -root FOLDER [-missed 3] < functions.jsonl
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gander"
)

// A function is a function of a file, and a random line in it.
type function struct {
	Language, From, Path string
	First, Last, Line    int
}

// A score counts the functions of a language.
type score struct {
	functions, whole, exact, lines int
	packages                       map[string]bool
}

func main() {
	root := flag.String("root", "/", "the folder that has all files")
	missed := flag.Int("missed", 0, "print up to this many functions of a language that are not whole")
	flag.Parse()
	if err := run(*root, *missed); err != nil {
		log.Fatal(err)
	}
}

func run(root string, missed int) error {
	tools, err := gander.Open(gander.Options{Roots: []string{root}})
	if err != nil {
		return err
	}
	defer tools.Close()
	scores := make(map[string]*score)
	for in := json.NewDecoder(os.Stdin); ; {
		var f function
		err := in.Decode(&f)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		s := scores[f.Language]
		if s == nil {
			s = &score{packages: make(map[string]bool)}
			scores[f.Language] = s
		}
		first, last, err := blockOf(tools, f)
		if err != nil {
			return err
		}
		s.functions++
		s.packages[f.From] = true
		s.lines += last - first + 1
		isWhole := first <= f.First && f.Last <= last
		switch {
		case isWhole:
			s.whole++
		case s.functions-s.whole <= missed:
			fmt.Printf("%s: %s:%d is in %d-%d, shown %d-%d\n", f.Language, f.Path, f.Line, f.First, f.Last,
				first, last)
		}
		if first == f.First && last == f.Last {
			s.exact++
		}
	}
	print(scores)
	return nil
}

// blockOf returns the first and the last line of the block around the line of a function.
func blockOf(tools *gander.Toolset, f function) (first, last int, err error) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return 0, 0, err
	}
	arguments, err := json.Marshal(map[string]any{"path": path, "block": f.Line})
	if err != nil {
		return 0, 0, err
	}
	result, err := tools.Call(context.Background(), "read_file", arguments)
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(result.Text()) {
		number, _, isLine := strings.Cut(line, "\t")
		n, err := strconv.Atoi(number)
		if !isLine || err != nil {
			continue
		}
		first, last = cmp.Or(first, n), n
	}
	return first, last, nil
}

func print(scores map[string]*score) {
	fmt.Println("| language | packages | functions | whole | nothing else | lines shown |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	var names []string
	for name := range scores {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s := scores[name]
		percent := func(n int) float64 { return 100 * float64(n) / float64(s.functions) }
		fmt.Printf("| %s | %d | %d | %.1f %% | %.1f %% | %d |\n", name, len(s.packages), s.functions,
			percent(s.whole), percent(s.exact), s.lines/s.functions)
	}
}
