package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxBackups bounds the number of backups of a file.
const maxBackups = 100

// Write makes the change. It first copies the file to a backup beside it and returns the path of that, or "" if there was
// no file. Then it replaces the file, or the target of a symlink, in one step and keeps its permissions. If Write fails,
// for example because the file has changed since [Client.Plan], the file is as it was.
func (c Change) Write() (backup string, err error) {
	backup, err = c.write()
	// The errors of the system name temporary files.
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s cannot be written: %w", c.Path, e.Err)
	} else if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = fmt.Errorf("%s cannot be written: %w", c.Path, e.Err)
	}
	return backup, err
}

func (c Change) write() (backup string, err error) {
	path := c.Path
	mode := c.mode
	if !c.Exists {
		if err := os.MkdirAll(filepath.Dir(path), directoryMode(mode)); err != nil {
			return "", err
		}
	} else {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
		info, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		mode = info.Mode().Perm()
		if backup, err = c.backup(path, mode); err != nil {
			return "", fmt.Errorf("no backup can be made, so nothing is written: %w", err)
		}
	}
	if err := c.replace(path, mode); err != nil {
		if backup != "" {
			err = errors.Join(err, os.Remove(backup))
		}
		return "", err
	}
	return backup, nil
}

// directoryMode returns mode with the permission to search for everyone who may read.
func directoryMode(mode fs.FileMode) fs.FileMode { return mode | mode>>2&0o111 }

// backupName returns the name of the nth backup of the file at path.
func backupName(path string, n int) string {
	if n == 1 {
		return path + ".bak"
	}
	return fmt.Sprintf("%s.bak%d", path, n)
}

// backup writes the text before the change to a new file beside path.
func (c Change) backup(path string, mode fs.FileMode) (string, error) {
	for n := 1; n <= maxBackups; n++ {
		name := backupName(path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := fill(f, c.Before, mode); err != nil {
			return "", errors.Join(err, os.Remove(name))
		}
		return name, nil
	}
	return "", fmt.Errorf("there are %d already; remove some of %s.bak*", maxBackups, path)
}

// replace replaces the file at path by one that holds the text after the change.
func (c Change) replace(path string, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing once the file is renamed
	if err := fill(f, c.After, mode); err != nil {
		return err
	}
	now, err := readFile(path)
	if gone := errors.Is(err, fs.ErrNotExist); gone == c.Exists || !gone && (err != nil || !bytes.Equal(now, c.Before)) {
		return fmt.Errorf("%s has changed meanwhile, so nothing is written; try again", c.Path)
	}
	return os.Rename(f.Name(), path)
}

// fill writes text to a new file and closes it.
func fill(f *os.File, text []byte, mode fs.FileMode) error {
	_, err := f.Write(text)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}
