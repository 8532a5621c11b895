// Package audit writes what calls did to a file, and prints it. Every line of the file is a
// tool.Record as a JSON object.
package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
	"unicode/utf16"

	"gander/internal/paths"
	"gander/tool"
)

// DefaultBytes is the default size at which a file is rotated.
const DefaultBytes = 64 << 20

// Options configures a Log.
type Options struct {
	File     string   // its predecessor is FILE.1
	Roots    []string // that must not contain the file
	Bytes    int      // the size at which the file is rotated; DefaultBytes if 0
	Required bool     // calls that cannot be recorded fail
	Logger   *slog.Logger
}

// A Log appends records to a file. It is safe for concurrent use. Only one Log uses a file at a
// time.
type Log struct {
	options   Options
	mu        sync.Mutex
	file, old *os.File
	size      int64
	failed    bool // the last record could not be written, which was logged
	rotated   time.Time
	rotation  error // of the last rotation
}

// Open opens or creates the files of a log, with the mode 0600. The error is about the file, a root
// that contains it, or another process that uses it.
func Open(o Options) (_ *Log, err error) {
	if o.Bytes == 0 {
		o.Bytes = DefaultBytes
	}
	for _, name := range []string{o.File, o.File + ".1"} {
		if err := checkOutside(name, o.Roots); err != nil {
			return nil, err
		}
	}
	l := &Log{options: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	if l.file, err = open(o.File); err != nil {
		return nil, err
	}
	if l.old, err = open(o.File + ".1"); err != nil {
		return nil, err
	}
	if l.size, err = l.file.Seek(0, io.SeekEnd); err != nil {
		return nil, err
	}
	return l, l.endLine()
}

// open opens and locks a regular file, which only its owner can read then. It waits for no FIFO.
func open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file; name another file", name)
	}
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err == nil && lock(f) != nil {
		err = fmt.Errorf("%s is used by another process; name another file", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// checkOutside returns an error if a file is in a root, or is a symlink, which could lead into one.
func checkOutside(file string, roots []string) error {
	if info, err := os.Lstat(file); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symlink; name another file", file)
	}
	dir, err := resolved(filepath.Dir(file))
	if err != nil {
		return err
	}
	for _, root := range roots {
		at, err := resolved(root)
		if err != nil {
			return err
		}
		if _, isBelow := paths.Below(at, filepath.Join(dir, filepath.Base(file))); isBelow {
			return fmt.Errorf("%s is in the root %s, where clients could read it; name a file outside",
				file, root)
		}
	}
	return nil
}

func resolved(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// endLine ends a line that a killed process has begun.
func (l *Log) endLine() error {
	if l.size == 0 {
		return nil
	}
	last := make([]byte, 1)
	if _, err := l.file.ReadAt(last, l.size-1); err != nil {
		return err
	}
	if last[0] == '\n' {
		return nil
	}
	n, err := l.file.WriteAt([]byte("\n"), l.size)
	l.size += int64(n)
	return err
}

// Record appends a record. If that fails, it is logged once, and returned if the log is required.
func (l *Log) Record(_ context.Context, r tool.Record) error {
	line := encode(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.append(line)
	if err != nil && !l.failed && l.options.Logger != nil {
		l.options.Logger.Error("calls are not recorded", "error", err, "fail", l.options.Required)
	}
	l.failed = err != nil
	if !l.options.Required {
		return nil
	}
	return err
}

// encode returns a record as a line of ASCII characters, so that names cannot contain another.
func encode(r tool.Record) []byte {
	encoded, _ := json.Marshal(r) // every field can be encoded
	var line bytes.Buffer
	for _, c := range string(encoded) {
		if c < 0x7f {
			line.WriteByte(byte(c))
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&line, `\u%04x`, unit)
		}
	}
	line.WriteByte('\n')
	return line.Bytes()
}

func (l *Log) append(line []byte) error {
	if l.size > 0 && l.size+int64(len(line)) > int64(l.options.Bytes) {
		if err := l.rotateAgain(); err != nil {
			return err
		}
	}
	n, err := l.file.WriteAt(line, l.size)
	if err != nil && n > 0 { // a part of a line, because the disk is full
		err = errors.Join(err, l.file.Truncate(l.size))
		n = 0
	}
	l.size += int64(n)
	return err
}

// rotateAgain rotates, unless that failed less than a minute ago: copying takes time.
func (l *Log) rotateAgain() error {
	if l.rotation != nil && time.Since(l.rotated) < time.Minute {
		return l.rotation
	}
	l.rotated = time.Now()
	l.rotation = l.rotate()
	return l.rotation
}

// rotate moves the text to the other file. Both stay open: a confined process cannot open one.
func (l *Log) rotate() error {
	if err := l.old.Truncate(0); err != nil {
		return err
	}
	to := io.NewOffsetWriter(l.old, 0)
	if _, err := io.Copy(to, io.NewSectionReader(l.file, 0, l.size)); err != nil {
		return err
	}
	if err := errors.Join(l.old.Sync(), l.file.Truncate(0)); err != nil {
		return err
	}
	l.size = 0
	return nil
}

// Close closes the files.
func (l *Log) Close() error {
	var all []error
	for _, f := range slices.Compact([]*os.File{l.file, l.old}) {
		if f != nil {
			all = append(all, f.Close())
		}
	}
	return errors.Join(all...)
}
