package workspace

import (
	"context"
	"errors"
	"io"
	"os"
)

// portable is the ground wherever there is no better one: an [os.Root] for every directory, so that even what is
// replaced between a look and an open stays inside the directory it was looked for in. The "/." keeps [os.OpenRoot] from
// waiting for somebody to write to a FIFO.
func portable(path string) (node, error) { return portableBehind(nil)(path) }

func portableBehind(g gate) ground {
	return func(path string) (node, error) { return openRooted(g, os.OpenRoot, path) }
}

// openRooted opens a directory to be entered, by a function that opens a root.
func openRooted(g gate, open func(string) (*os.Root, error), name string) (node, error) {
	d := &rooted{gate: g}
	err := g.try("openroot", func() (err error) {
		d.root, err = open(name + "/.")
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// rooted is a node. root is nil where the directory may be read but not searched, listing where it is only entered.
type rooted struct {
	root    *os.Root
	listing *os.File
	gate    gate
}

// enter needs the directory to be readable too: an [os.Root] cannot be opened otherwise.
func (d *rooted) enter(name string) (node, error) {
	if err := d.checkDirectory(name); err != nil {
		return nil, err
	}
	return openRooted(d.gate, d.root.OpenRoot, name)
}

// list opens by name from the parent, which works without search permission, and the directory's own root if it can.
func (d *rooted) list(name string) (node, error) {
	if err := d.checkDirectory(name); err != nil {
		return nil, err
	}
	f, err := d.open(name, directoryOnly)
	if err != nil {
		return nil, err
	}
	sub := &rooted{gate: d.gate}
	if sub.listing, err = plain(d.gate, f); err != nil {
		return nil, err
	}
	err = d.gate.try("openroot", func() (err error) {
		sub.root, err = d.root.OpenRoot(name + "/.")
		return err
	})
	if err != nil && !errors.Is(err, os.ErrPermission) {
		return nil, errors.Join(err, sub.close())
	}
	return sub, nil
}

func (d *rooted) open(name string, flags int) (f *os.File, err error) {
	err = d.gate.try("open", func() (err error) {
		f, err = d.root.OpenFile(name, os.O_RDONLY|flags, 0)
		return err
	})
	return f, err
}

func (d *rooted) checkDirectory(name string) error {
	info, err := d.lstat(name)
	if err == nil && info.Kind != Directory {
		return ErrNotDirectory
	}
	return err
}

func (d *rooted) file(name string) (handle, error) {
	info, err := d.lstat(name)
	switch {
	case err != nil:
		return handle{}, err
	case info.Kind == Directory:
		return handle{}, ErrIsDirectory
	case info.Kind != Regular:
		return handle{}, ErrNotRegular
	}
	f, err := d.open(name, nonBlocking)
	if err != nil {
		return handle{}, err
	}
	h := handle{f, d.gate}
	info, err = h.stat()
	if err == nil && info.Kind != Regular {
		err = ErrNotRegular
	}
	if err != nil {
		return handle{}, errors.Join(err, h.close())
	}
	return h, nil
}

func (d *rooted) lstat(name string) (Info, error) {
	if d.root == nil {
		return Info{}, os.ErrPermission
	}
	var info Info
	err := d.gate.try("lstat", func() error {
		fi, err := d.root.Lstat(name)
		if err == nil {
			info = infoOf(fi)
		}
		return err
	})
	return info, err
}

func (d *rooted) readlink(name string) (target string, err error) {
	err = d.gate.try("readlink", func() (err error) {
		target, err = d.root.Readlink(name)
		return err
	})
	return target, err
}

func (d *rooted) close() error {
	var errs []error
	if d.root != nil {
		errs = append(errs, d.gate.shut(d.root.Close))
	}
	if d.listing != nil {
		errs = append(errs, d.gate.shut(d.listing.Close))
	}
	return errors.Join(errs...)
}

func (d *rooted) names(ctx context.Context, _ []byte, yield func([]byte, EntryKind) bool) (read int, err error) {
	err = d.gate.try("seek", func() error {
		_, err := d.listing.Seek(0, io.SeekStart)
		return err
	})
	if err != nil {
		return 0, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		var entries []os.DirEntry
		err := d.gate.try("readdir", func() (err error) {
			entries, err = d.listing.ReadDir(1024)
			return err
		})
		for _, e := range entries {
			read++
			if !yield([]byte(e.Name()), kindOf(e.Type())) {
				return read, nil
			}
		}
		if err == io.EOF {
			return read, nil
		}
		if err != nil {
			return read, err
		}
	}
}
