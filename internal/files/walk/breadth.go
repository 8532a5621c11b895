package walk

import (
	"context"

	"gander/internal/files/workspace"
)

type breadthFirstWalk struct {
	*walker
	queue []queued
	held  []*Directory // entered last, not released yet
}

// A queued directory is entered when its entries are due.
type queued struct {
	parent *Directory
	name   string
}

func breadthFirst(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) {
	w := &breadthFirstWalk{walker: newWalker(ctx, start, o, yield)}
	defer w.memory.Release()
	d := new(Directory)
	for goOn := w.start(d, start) && w.children(d); goOn && len(w.queue) > 0; {
		next := w.queue[0]
		w.queue[0] = queued{}
		w.queue = w.queue[1:]
		goOn = w.visit(next.parent, next.name)
		if len(w.queue) == 0 || w.queue[0].parent != next.parent || !goOn {
			w.release(next.parent)
		}
	}
	for _, d := range w.held {
		w.release(d)
	}
}

// hold keeps the handles of the directories that were entered last, because to open a directory
// again takes time proportional to its depth.
func (w *breadthFirstWalk) hold(d *Directory) {
	w.held = append(w.held, d)
	if len(w.held) > maxOpen {
		w.release(w.held[0])
		w.held = w.held[1:]
	}
}

// release closes the handle of a directory until it is needed again, unless it is the caller's.
func (w *breadthFirstWalk) release(d *Directory) {
	if d.Depth > 0 {
		d.open.Release()
	}
}

// visit yields the entries of the subdirectory of parent called name, and reports whether to
// continue.
func (w *breadthFirstWalk) visit(parent *Directory, name string) bool {
	d, err := w.enter(parent, name)
	if err == nil {
		w.hold(d)
		return w.children(d)
	}
	return w.fail(Entry{Name: []byte(name), Kind: workspace.Directory, Dir: parent}, err)
}

// children yields the entries of d, queues its subdirectories, and reports whether to continue.
func (w *breadthFirstWalk) children(d *Directory) bool {
	for {
		item, err := d.entries.take()
		if err != nil {
			return w.end(err)
		}
		if item.Name == nil {
			d.entries.free()
			return true
		}
		e := Entry{Name: item.Name, Kind: item.Kind, Dir: d}
		if !item.Marked && !w.show(e) || w.full() {
			return false
		}
		if w.enters(d, item.Kind) {
			w.queue = append(w.queue, queued{d, string(item.Name)})
		}
	}
}
