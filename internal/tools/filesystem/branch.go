package filesystem

import (
	"context"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// A branch is a part of a tree: some entries of its directory, the last of which may be a directory, with everything below.
type branch struct {
	batch
	done  chan struct{} // closed when the branch has been written
	json  string
	err   error
	panic any // the value with which writing has panicked
}

// wholeTree returns the JSON of the tree below dir. Several goroutines write its branches, which are joined meanwhile.
func wholeTree(ctx context.Context, dir *workspace.Dir) (string, error) {
	branches, err := branchesOf(ctx, dir)
	if err != nil || len(branches) == 0 {
		return "[]", err
	}
	ctx, cancel := context.WithCancel(ctx)
	writers := writeBranches(ctx, dir, branches)
	defer writers.Wait()
	defer cancel()
	var json strings.Builder
	separator := byte('[')
	for _, b := range branches {
		<-b.done
		if b.panic != nil {
			panic(b.panic)
		}
		if b.err != nil {
			return "", b.err
		}
		if size := len(b.json) + len(",\n]"); json.Cap()-json.Len() < size {
			json.Grow(3*json.Cap() + size) // memory that is not used up costs nothing, in contrast to copying
		}
		json.WriteByte(separator)
		json.WriteString(b.json)
		b.json, separator = "", ','
	}
	json.WriteString("\n]")
	return json.String(), nil
}

// branchesOf divides the entries of a directory into branches.
func branchesOf(ctx context.Context, dir *workspace.Dir) (branches []*branch, err error) {
	var last *branch // nil if it is full
	for e, err := range walk.Entries(ctx, dir, walk.Options{Depth: 1}) {
		if err != nil {
			return nil, err
		}
		if last == nil {
			last = &branch{done: make(chan struct{})}
			branches = append(branches, last)
		}
		if last.add(e.Name, e.Kind); e.Kind == workspace.Directory || last.full() {
			last = nil
		}
	}
	return branches, nil
}

// writeBranches starts the goroutines that write the branches below dir, which the caller must not use until they have ended.
func writeBranches(ctx context.Context, dir *workspace.Dir, branches []*branch) *sync.WaitGroup {
	var next atomic.Int64
	write := func(dir *workspace.Dir) {
		var d document
		for i := next.Add(1) - 1; i < int64(len(branches)); i = next.Add(1) - 1 {
			branches[i].write(ctx, dir, &d)
		}
	}
	dirs := []*workspace.Dir{dir}
	for len(dirs) < min(runtime.GOMAXPROCS(0), maxWorkers, len(branches)) {
		clone, err := dir.Clone()
		if err != nil {
			break // fewer will do
		}
		dirs = append(dirs, clone)
	}
	var writers sync.WaitGroup
	for i, dir := range dirs {
		writers.Go(func() {
			write(dir)
			if i > 0 {
				_ = dir.Close()
			}
		})
	}
	return &writers
}

// write writes the branch, in the memory of d.
func (b *branch) write(ctx context.Context, dir *workspace.Dir, d *document) {
	defer func() {
		b.panic = recover()
		close(b.done)
	}()
	*d = document{json: d.json[:0]}
	for _, e := range b.entries {
		d.add(e.name, e.kind, 1, "")
		if e.kind == workspace.Directory {
			b.err = d.addBelow(ctx, dir, string(e.name))
		}
	}
	b.json = string(d.last.closeTo(d.json, 1))
}

// addBelow adds what is below the subdirectory called name, which has just been added. If that cannot be read, it notes the failure.
// The error is that of ctx, or of a directory that fails while it is listed.
func (d *document) addBelow(ctx context.Context, dir *workspace.Dir, name string) error {
	sub, err := dir.Open(name)
	if err != nil {
		d.last.failure = shared.ErrorText(err)
		return ctx.Err()
	}
	defer sub.Close()
	above := d.count
	for e, err := range walk.Entries(ctx, sub, walk.Options{Depth: math.MaxInt}) {
		failure := ""
		if err != nil {
			failure = shared.ErrorText(err)
		}
		switch {
		case e.Dir != nil:
			d.add(e.Name, e.Kind, e.Depth()+1, failure)
		case d.count > above || ctx.Err() != nil:
			return err
		default:
			d.last.failure = failure
		}
	}
	return nil
}
