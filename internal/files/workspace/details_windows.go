package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// describe adds the times of fi, and a mode as Unix has it.
func (d *Details) describe(fi fs.FileInfo) {
	d.Mode = uint32(fi.Mode().Perm())
	d.Mode |= map[EntryKind]uint32{Regular: 0o100000, Directory: 0o40000, Symlink: 0o120000}[d.Kind]
	d.Links = 1
	data := fi.Sys().(*syscall.Win32FileAttributeData)
	d.Accessed = time.Unix(0, data.LastAccessTime.Nanoseconds())
	d.Created = time.Unix(0, data.CreationTime.Nanoseconds())
}
