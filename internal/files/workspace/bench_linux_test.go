package workspace

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander/internal/testkit/fixture"
)

// BenchmarkContainment walks a tree alternately in a workspace and without one. It reports the
// nanoseconds per directory of both, and the median of their ratios.
func BenchmarkContainment(b *testing.B) {
	const directories, files = 200, 23
	var entries []string
	for d := range directories {
		for f := range files {
			entries = append(entries, fmt.Sprintf("group-%02d/directory-%04d/file-%04d.go", d%10, d, f))
		}
	}
	root := fixture.Make(b, entries...)
	contained := mustFind(b, mustOpen(b, nativeBackend(), Options{}, root), "")
	free, err := openFree(unix.AT_FDCWD, root)
	if err != nil {
		b.Fatal(err)
	}
	defer free.Close()

	walks := [2]func() int{
		func() int { return walkAll(b, contained) },
		func() int { return walkAll(b, free) },
	}
	var times [2][]float64
	var ratios []float64
	for round := 0; b.Loop(); round++ {
		var took [2]float64
		for i := range walks {
			which := (round + i) % 2 // neither always follows the other
			start := time.Now()
			n := walks[which]()
			took[which] = float64(time.Since(start)) / float64(n)
			times[which] = append(times[which], took[which])
		}
		ratios = append(ratios, took[0]/took[1])
	}
	b.ReportMetric(0, "ns/op") // of both together, which is no answer
	b.ReportMetric(middleOf(times[0]), "ns/directory")
	b.ReportMetric(middleOf(times[1]), "ns/directory-free")
	b.ReportMetric(middleOf(ratios), "x")
}

func middleOf(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// walkAll reads the names of d and of all directories below it, and returns how many directories it
// read.
func walkAll[D interface {
	Names(ctx context.Context, yield func(name []byte, kind EntryKind) bool) error
	Open(name string) (D, error)
	Close() error
}](b *testing.B, d D,
) int {
	var below []string
	err := d.Names(b.Context(), func(name []byte, kind EntryKind) bool {
		if kind == Directory {
			below = append(below, string(name))
		}
		return true
	})
	if err != nil {
		b.Fatal(err)
	}
	n := 1
	for _, name := range below {
		sub, err := d.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		n += walkAll(b, sub)
		if err := sub.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

// A freeDir reads like a Dir, but is not confined: it follows symlinks and has no deny patterns.
type freeDir struct {
	*descriptor
	buf []byte
}

func openFree(at int, name string) (freeDir, error) {
	n, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return freeDir{&descriptor{n: n}, make([]byte, listBuffer)}, err
}

func (d freeDir) Open(name string) (freeDir, error) {
	n, err := unix.Openat(d.n, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return freeDir{&descriptor{n: n}, d.buf}, err
}

func (d freeDir) Names(ctx context.Context, yield func([]byte, EntryKind) bool) error {
	return d.names(d.buf, &Dir{w: &Workspace{recheck: time.Hour}, checked: time.Now(), listing: ctx}, yield)
}

func (d freeDir) Close() error { return unix.Close(d.n) }
