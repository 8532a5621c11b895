//go:build linux

package data

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// makeFilesOfText makes n files of 0 to 8 KB of what looks like a program, 100 in each directory.
func makeFilesOfText(path string, n int) error {
	r := rand.New(rand.NewPCG(3, 4))
	lines := make([]string, 5000)
	for i := range lines {
		lines[i] = programLine(r)
	}
	for i := range n {
		dir := filepath.Join(path, fmt.Sprintf("package%03d", i/1000), fmt.Sprintf("part%d", i/100%10))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		var text []byte
		for size := r.IntN(8 << 10); len(text) < size; {
			text = append(text, lines[r.IntN(len(lines))]...)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%02d.go", i%100)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// programLine returns a line of a program.
func programLine(r *rand.Rand) string {
	word := func() string {
		words := []string{"name", "err", "index", "buf", "ctx", "Reader", "Writer", "Request", "value", "count", "config", "Handler", "path", "node", "result", "options", "size"}
		return words[r.IntN(len(words))]
	}
	line := ""
	for range r.IntN(4) {
		line += "\t"
	}
	switch r.IntN(6) {
	case 0:
		return line + "if " + word() + " := " + word() + "." + word() + "(" + word() + "); err != nil {\n"
	case 1:
		return line + "return " + word() + ", nil\n"
	case 2:
		return line + "// " + word() + " returns the " + word() + " of the " + word() + " and its " + word() + ".\n"
	case 3:
		return line + "func (s *" + word() + ") " + word() + "(" + word() + " string) error {\n"
	case 4:
		return line + "}\n"
	}
	return line + word() + " = append(" + word() + ", " + word() + "[" + fmt.Sprint(r.IntN(1000)) + "])\n"
}

// makeLog makes a log of n requests to a server, of about 115 bytes each.
func makeLog(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(5, 6))
	levels := []string{"INFO ", "INFO ", "INFO ", "INFO ", "DEBUG", "DEBUG", "DEBUG", "WARN ", "ERROR"}
	methods := []string{"GET", "GET", "GET", "POST", "PUT", "DELETE"}
	things := []string{"users", "orders", "invoices", "sessions", "files"}
	for i := range n {
		second := i / 100
		fmt.Fprintf(w, "2026-03-%02dT%02d:%02d:%02d.%03dZ %s [worker-%d] %s /api/v2/%s/%d %d %.1fms client=10.%d.%d.%d id=%016x\n",
			1+second/86400, second/3600%24, second/60%60, second%60, i%100*10, levels[r.IntN(len(levels))], r.IntN(32),
			methods[r.IntN(len(methods))], things[r.IntN(len(things))], r.IntN(1e6), []int{200, 200, 201, 404, 500}[r.IntN(5)], r.Float64()*300,
			r.IntN(256), r.IntN(256), r.IntN(256), r.Uint64())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
