//go:build linux

package data

import (
	"bufio"
	"math/rand/v2"
	"os"
)

// makeText makes a file of n lines: two of every thirteen are empty, the others have 0 to 200 bytes.
func makeText(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(1, 2))
	words := letters(r, 1<<16)
	for i := range n {
		if i%13 > 1 {
			at := r.IntN(len(words) - 200)
			w.Write(words[at : at+r.IntN(201)])
		}
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// letters returns n random letters with spaces between words.
func letters(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = "etaoin shrdlu cmfwyp vbgkqj xz"[r.IntN(30)]
	}
	return b
}
