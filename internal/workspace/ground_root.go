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
func portable(path string) (node, error) {
	r, err := os.OpenRoot(path + "/.")
	if err != nil {
		return nil, err
	}
	return &rooted{root: r}, nil
}

// rooted is a node. root is nil where the directory may be read but not searched, listing where it is only entered.
type rooted struct {
	root    *os.Root
	listing *os.File
}

// enter needs the directory to be readable too: an [os.Root] cannot be opened otherwise.
func (d *rooted) enter(name string) (node, error) {
	if err := d.checkDirectory(name); err != nil {
		return nil, err
	}
	r, err := d.root.OpenRoot(name + "/.")
	if err != nil {
		return nil, bare(err)
	}
	return &rooted{root: r}, nil
}

// list opens by name from the parent, which works without search permission, and the directory's own root if it can.
func (d *rooted) list(name string) (node, error) {
	if err := d.checkDirectory(name); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|directoryOnly, 0)
	if err != nil {
		return nil, bare(err)
	}
	listing, err := plain(f)
	if err != nil {
		return nil, bare(err)
	}
	r, err := d.root.OpenRoot(name + "/.")
	if err != nil {
		r = nil
	}
	return &rooted{root: r, listing: listing}, nil
}

func (d *rooted) checkDirectory(name string) error {
	info, err := d.lstat(name)
	if err == nil && info.Kind != Directory {
		return ErrNotDirectory
	}
	return err
}

func (d *rooted) file(name string) (*os.File, error) {
	info, err := d.lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Kind == Directory:
		return nil, ErrIsDirectory
	case info.Kind != Regular:
		return nil, ErrNotRegular
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, bare(err)
	}
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return nil, errors.Join(ErrNotRegular, f.Close())
	}
	return f, nil
}

func (d *rooted) lstat(name string) (Info, error) {
	if d.root == nil {
		return Info{}, os.ErrPermission
	}
	fi, err := d.root.Lstat(name)
	if err != nil {
		return Info{}, bare(err)
	}
	return infoOf(fi), nil
}

func (d *rooted) readlink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	return target, bare(err)
}

func (d *rooted) close() error {
	var errs []error
	if d.root != nil {
		errs = append(errs, d.root.Close())
	}
	if d.listing != nil {
		errs = append(errs, d.listing.Close())
	}
	return errors.Join(errs...)
}

func (d *rooted) names(ctx context.Context, _ []byte, yield func([]byte, Kind) bool) (read int, err error) {
	if _, err := d.listing.Seek(0, io.SeekStart); err != nil {
		return 0, bare(err)
	}
	for {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		entries, err := d.listing.ReadDir(1024)
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
			return read, bare(err)
		}
	}
}
