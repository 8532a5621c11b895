package walk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"time"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// newest sorts the entries of a tree by modification time. Their names are their paths.
type newest struct {
	ctx    context.Context // of the walk, whose entries each read passes
	start  *workspace.Dir
	o      Options
	yield  func(Entry, error) bool
	again  bool           // the tree has been read before, with the same errors
	info   workspace.Info // of the entry that is being added
	record []byte         // its name and its size
	dir    *Directory     // of the last entry that was yielded
}

// errEnded ends a walk that its caller has ended.
var errEnded = errors.New("the caller has ended the walk")

func newestFirst(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) {
	n := &newest{ctx: ctx, start: start, o: o, yield: yield}
	memory := names.NewMemory(ctx)
	defer memory.Release()
	q := names.Query{Order: names.Order{Key: n.key}, Limit: o.Limit}
	sorted, err := memory.Sort(q, n.read)
	for left := cmp.Or(o.Limit, math.MaxInt); err == nil && left > 0; left-- {
		var item names.Item
		item, err = sorted.Next()
		err = cmp.Or(err, ctx.Err())
		if err != nil || item.Name == nil || !n.show(item) {
			break
		}
	}
	if err != nil && err != errEnded {
		yield(Entry{}, err)
	}
}

// read passes the paths of the entries of the tree, each with its size, to add. It yields errors.
func (n *newest) read(add func([]byte, workspace.EntryKind) bool) error {
	all := Options{Depth: n.o.Depth, Filter: n.o.Filter, Enter: n.o.Enter}
	for e, err := range Entries(n.ctx, n.start, all) {
		if e.Dir == nil { // the walk has failed
			return err
		}
		if !e.ForError { // also an entry that cannot be entered
			var failure error
			n.info, failure = e.Lstat()
			if failure == nil && !add(n.describe(e), n.info.Kind) {
				break
			}
			err = cmp.Or(err, failure)
			e.ForError = true
		}
		isNew := err != nil && !n.again
		if isNew && !n.yield(e, err) {
			return errEnded
		}
	}
	n.again = true
	return nil
}

// sizeBytes is the length of the size at the end of a record, after a NUL, which sorts before what
// follows in other paths.
const sizeBytes = 1 + 8

// describe returns the record of the entry with the current info.
func (n *newest) describe(e Entry) []byte {
	n.record = append(e.AppendPath(n.record[:0]), 0)
	n.record = binary.BigEndian.AppendUint64(n.record, uint64(n.info.Size))
	return n.record
}

// key returns the modification time of the current info, such that later ones come first.
func (n *newest) key(dst, _ []byte) []byte {
	at := n.info.ModTime
	dst = binary.BigEndian.AppendUint64(dst, ^(uint64(at.Unix()) ^ 1<<63))
	return binary.BigEndian.AppendUint32(dst, ^uint32(at.Nanosecond()))
}

// show yields the entry of an item. It reports whether to continue.
func (n *newest) show(item names.Item) bool {
	path, size := item.Name[:len(item.Name)-sizeBytes], item.Name[len(item.Name)-sizeBytes+1:]
	seconds := int64(^binary.BigEndian.Uint64(item.Key) ^ 1<<63)
	nanoseconds := ^binary.BigEndian.Uint32(item.Key[8:])
	info := workspace.Info{
		Kind: item.Kind, Size: int64(binary.BigEndian.Uint64(size)),
		ModTime: time.Unix(seconds, int64(nanoseconds)),
	}
	end := max(bytes.LastIndexByte(path, '/'), 0)
	n.enter(string(path[:end]))
	name := bytes.TrimPrefix(path[end:], []byte("/"))
	more := n.yield(Entry{Name: name, Kind: item.Kind, Dir: n.dir, info: &info}, nil)
	if n.dir.Depth > 0 {
		n.dir.open.Release() // the caller may have opened it
	}
	return more
}

// enter makes the directory at a path the current one. It opens nothing.
func (n *newest) enter(path string) {
	switch {
	case n.dir != nil && n.dir.Path == path:
	case path == "":
		n.dir = &Directory{open: n.start}
	default:
		depth := strings.Count(path, "/") + 1
		n.dir = &Directory{Path: path, Depth: depth, open: n.start.Released(path)}
	}
}
