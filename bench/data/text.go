//go:build linux

package data

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// makeTextFiles makes n files of 0 to 8 KB that resemble programs, 100 in each directory.
func makeTextFiles(path string, n int) error {
	r := rand.New(rand.NewPCG(3, 4))
	lines := make([]string, 5000)
	for i := range lines {
		lines[i] = programLine(r)
	}
	for i := range n {
		dir := fmt.Sprintf("%s/package%03d/part%d", path, i/1000, i/100%10)
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		var text []byte
		for size := r.IntN(8 << 10); len(text) < size; {
			text = append(text, lines[r.IntN(len(lines))]...)
		}
		file := filepath.Join(dir, fmt.Sprintf("file%02d.go", i%100))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// programLine returns a line of a program.
func programLine(r *rand.Rand) string {
	words := strings.Fields("name err index buf ctx Reader Writer Request value count config " +
		"Handler path node result options size")
	forms := []string{
		"if %s := %s.%s(%s); err != nil {\n", "return %s, nil\n",
		"// %s returns the %s of the %s and its %s.\n", "func (s *%s) %s(%s string) error {\n", "}\n",
		"%s = append(%s, %s[7])\n",
	}
	form := forms[r.IntN(len(forms))]
	var line []any
	for range strings.Count(form, "%s") {
		line = append(line, words[r.IntN(len(words))])
	}
	return strings.Repeat("\t", r.IntN(4)) + fmt.Sprintf(form, line...)
}

// makeLog makes a log of n requests to a server, each of about 115 bytes.
func makeLog(path string, n int) error {
	r := rand.New(rand.NewPCG(5, 6))
	levels := strings.Fields("INFO INFO INFO INFO DEBUG DEBUG DEBUG WARN ERROR")
	methods := strings.Fields("GET GET GET POST PUT DELETE")
	things := strings.Fields("users orders invoices sessions files")
	statuses := []int{200, 200, 201, 404, 500}
	return makeFile(path, func(w *bufio.Writer) {
		for i := range n {
			second := i / 100
			fmt.Fprintf(w, "2026-03-%02dT%02d:%02d:%02d.%03dZ ", 1+second/86400, second/3600%24,
				second/60%60, second%60, i%100*10)
			fmt.Fprintf(w, "%-5s [worker-%d] %s /api/v2/%s/%d %d %.1fms ", levels[r.IntN(len(levels))],
				r.IntN(32), methods[r.IntN(len(methods))], things[r.IntN(len(things))], r.IntN(1e6),
				statuses[r.IntN(len(statuses))], r.Float64()*300)
			fmt.Fprintf(w, "client=10.%d.%d.%d id=%016x\n", r.IntN(256), r.IntN(256), r.IntN(256),
				r.Uint64())
		}
	})
}

// makeText makes a file of n lines. Two of every thirteen are empty, the others have 0 to 200
// bytes.
func makeText(path string, n int) error {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]byte, 1<<16)
	for i := range words {
		words[i] = "etaoin shrdlu cmfwyp vbgkqj xz"[r.IntN(30)]
	}
	return makeFile(path, func(w *bufio.Writer) {
		for i := range n {
			if i%13 > 1 {
				at := r.IntN(len(words) - 200)
				_, _ = w.Write(words[at : at+r.IntN(201)]) // Flush returns the error
			}
			_ = w.WriteByte('\n')
		}
	})
}

// makeFile makes a file with the text that write writes.
func makeFile(path string, write func(*bufio.Writer)) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	write(w)
	return errors.Join(w.Flush(), f.Close())
}
