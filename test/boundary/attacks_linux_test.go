package boundary

import (
	"errors"
	"os"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An attack is tried after a command. It fails with want if the kernel confines the process, and
// otherwise with without. Most are nil without.
type attack struct {
	name          string
	try           func() error
	want, without error
}

// An attacker has what a hostile process has opened before.
type attacker struct {
	top      string
	dir      int           // the root
	file     int           // outside
	tcp, udp int           // sockets
	listener unix.Sockaddr // the address of a listener
}

// attacks returns the attacks, and the calls that must work in any case.
func (a attacker) attacks() []attack {
	return slices.Concat(a.reading(), a.writing(), a.running(), a.reaching(), a.working())
}

func (a attacker) reading() []attack {
	return []attack{
		{"open /etc/passwd", opening(unix.AT_FDCWD, "/etc/passwd", unix.O_RDONLY), unix.EACCES, nil},
		{
			"open a file beside the root", opening(unix.AT_FDCWD, a.top+"/beside", unix.O_RDONLY),
			unix.EACCES, nil,
		},
		{"open a link outward", opening(unix.AT_FDCWD, a.in("out"), unix.O_RDONLY), unix.EACCES, nil},
		{"open .. of the root's handle", opening(a.dir, "../beside", unix.O_RDONLY), unix.EACCES, nil},
		{
			"list a directory outside", opening(unix.AT_FDCWD, a.top+"/other", unix.O_DIRECTORY),
			unix.EACCES, nil,
		},
		{"set up an io_uring", func() error {
			return number(unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0))
		}, unix.EPERM, number(unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0))},
	}
}

func (a attacker) writing() []attack {
	const mode = 0o700
	return []attack{
		{"open to write", opening(unix.AT_FDCWD, a.in("in"), unix.O_WRONLY), unix.EACCES, nil},
		{"create", opening(unix.AT_FDCWD, a.in("created"), unix.O_WRONLY|unix.O_CREAT), unix.EACCES, nil},
		{
			"create outside", opening(unix.AT_FDCWD, a.top+"/created", unix.O_WRONLY|unix.O_CREAT),
			unix.EACCES, nil,
		},
		{"truncate", func() error { return unix.Truncate(a.in("in"), 0) }, unix.EPERM, nil},
		{
			"truncate by opening", opening(unix.AT_FDCWD, a.in("in"), unix.O_RDONLY|unix.O_TRUNC),
			unix.EACCES, nil,
		},
		{"make a directory", func() error { return unix.Mkdir(a.in("d"), mode) }, unix.EPERM, nil},
		{"make a symlink", func() error { return unix.Symlink("x", a.in("s")) }, unix.EPERM, nil},
		{"make a FIFO", func() error { return unix.Mkfifo(a.in("p"), mode) }, unix.EPERM, nil},
		{"link", func() error { return unix.Link(a.in("in"), a.in("l")) }, unix.EPERM, nil},
		{"rename", func() error { return unix.Rename(a.in("in"), a.in("in2")) }, unix.EPERM, nil},
		{"rename outward", func() error {
			return unix.Rename(a.in("moved"), a.top+"/moved")
		}, unix.EPERM, nil},
		{"remove", func() error { return unix.Unlink(a.in("removed")) }, unix.EPERM, nil},
		{"remove a directory", func() error { return unix.Rmdir(a.in("empty")) }, unix.EPERM, nil},
		{"change a mode", func() error { return unix.Chmod(a.in("run"), mode) }, unix.EPERM, nil},
		{"change a mode through a handle", func() error {
			return unix.Fchmod(a.file, mode)
		}, unix.EPERM, nil},
		{"change times", func() error {
			return unix.UtimesNanoAt(unix.AT_FDCWD, a.in("run"), make([]unix.Timespec, 2), 0)
		}, unix.EPERM, nil},
	}
}

func (a attacker) running() []attack {
	return []attack{
		{"start a program", func() error {
			return second(syscall.ForkExec("/bin/true", nil, nil))
		}, unix.EPERM, nil},
		{"execute", func() error { // an empty file
			return unix.Exec(a.in("run"), nil, nil)
		}, unix.EPERM, unix.ENOEXEC},
		{"execute from memory", func() error {
			n, err := unix.MemfdCreate("run", 0)
			if err != nil {
				return err
			}
			empty := []byte{0}
			return number(unix.Syscall6(unix.SYS_EXECVEAT, uintptr(n),
				uintptr(unsafe.Pointer(&empty[0])), 0, 0, unix.AT_EMPTY_PATH, 0))
		}, unix.EPERM, unix.ENOEXEC},
	}
}

func (a attacker) reaching() []attack {
	const none = ^uintptr(0) // -1
	parent := os.Getppid()
	loopback := &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}, Port: 9}
	return []attack{
		{"connect TCP", func() error { return unix.Connect(a.tcp, a.listener) }, unix.EPERM, nil},
		{"bind UDP", func() error {
			return unix.Bind(a.udp, &unix.SockaddrInet4{Addr: loopback.Addr})
		}, unix.EPERM, nil},
		{"send UDP", func() error { return unix.Sendto(a.udp, nil, 0, loopback) }, unix.EPERM, nil},
		{"connect UDP", func() error { return unix.Connect(a.udp, loopback) }, unix.EPERM, nil},
		{"make a socket", func() error {
			return second(unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0))
		}, unix.EPERM, nil},
		{"make a pair of sockets", func() error {
			return second(unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0))
		}, unix.EPERM, nil},
		{"lock a file inside", func() error { return unix.Flock(a.file, unix.LOCK_SH) }, unix.EPERM, nil},
		{"watch files", func() error { return second(unix.InotifyInit1(0)) }, unix.EPERM, nil},
		{
			"ask for quotas", func() error { return number(unix.Syscall(unix.SYS_QUOTACTL, none, 0, 0)) },
			unix.EPERM, unix.EINVAL,
		},
		{"make a call that is newer than the filter", func() error {
			return number(unix.Syscall(1000, 0, 0, 0))
		}, unix.ENOSYS, unix.ENOSYS},
		// The queues, semaphores and memory of other processes have numbers that can be guessed.
		{"receive from a message queue", func() error {
			return number(unix.Syscall6(unix.SYS_MSGRCV, none, 0, 0, 0, 0, 0))
		}, unix.EPERM, unix.EINVAL},
		{"remove a message queue", func() error {
			return number(unix.Syscall(unix.SYS_MSGCTL, none, unix.IPC_RMID, 0))
		}, unix.EPERM, unix.EINVAL},
		{"remove semaphores", func() error {
			return number(unix.Syscall6(unix.SYS_SEMCTL, none, 0, unix.IPC_RMID, 0, 0, 0))
		}, unix.EPERM, unix.EINVAL},
		{"remove shared memory", func() error {
			return number(unix.Syscall(unix.SYS_SHMCTL, none, unix.IPC_RMID, 0))
		}, unix.EPERM, unix.EINVAL},
		{"remove a POSIX message queue", func() error {
			name := []byte("gander-none\x00")
			return number(unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(&name[0])), 0, 0))
		}, unix.EPERM, unix.ENOENT},
		{"send a signal", func() error { return unix.Kill(parent, 0) }, unix.EPERM, nil},
		{"send a signal to a thread", func() error {
			return unix.Tgkill(parent, parent, 0)
		}, unix.EPERM, nil},
		{"open a process", func() error { return second(unix.PidfdOpen(parent, 0)) }, unix.EPERM, nil},
		{"limit another process", func() error {
			return unix.Prlimit(parent, unix.RLIMIT_CORE, nil, new(unix.Rlimit))
		}, unix.EPERM, nil},
		{"slow down another process", func() error {
			return unix.Setpriority(unix.PRIO_PROCESS, parent, 0)
		}, unix.EPERM, nil},
		{"pin another process", func() error {
			var processors unix.CPUSet
			if err := unix.SchedGetaffinity(parent, &processors); err != nil {
				return err
			}
			return unix.SchedSetaffinity(parent, &processors)
		}, unix.EPERM, nil},
		{"send a signal for each arrival", func() error {
			return second(unix.FcntlInt(uintptr(a.file), unix.F_SETOWN, parent))
		}, unix.EPERM, nil},
		{"make an uncommon request to a file", func() error {
			const fioclex = 0x5451 // FIOCLEX of asm-generic/ioctls.h
			return unix.IoctlSetInt(a.file, fioclex, 0)
		}, unix.EPERM, nil},
		{"type into a terminal", func() error { // the file is none
			return unix.IoctlSetPointerInt(a.file, unix.TIOCSTI, 'x')
		}, unix.EPERM, unix.ENOTTY},
	}
}

// working returns calls that a server needs, or that no kernel restricts.
func (a attacker) working() []attack {
	return []attack{
		{name: "open inside", try: opening(unix.AT_FDCWD, a.in("dir/file"), unix.O_RDONLY)},
		{name: "list inside", try: opening(a.dir, "dir", unix.O_RDONLY|unix.O_DIRECTORY)},
		{name: "describe outside", try: func() error {
			return unix.Stat(a.top+"/beside", new(unix.Stat_t))
		}},
		{name: "read an open file outside", try: func() error {
			return second(unix.Pread(a.file, make([]byte, 1), 0))
		}},
		{name: "limit itself", try: func() error {
			return unix.Prlimit(0, unix.RLIMIT_CORE, nil, new(unix.Rlimit))
		}},
		{name: "send itself a signal", try: func() error { return unix.Kill(os.Getpid(), 0) }},
	}
}

func (a attacker) in(name string) string { return a.top + "/root/" + name }

// opening returns an attack that opens a file.
func opening(at int, path string, flags int) func() error {
	return func() error { return opens(at, path, flags) }
}

func second[T any](_ T, err error) error { return err }

func opens(at int, path string, flags int) error {
	n, err := unix.Openat(at, path, flags, 0o600)
	if err != nil {
		return err
	}
	return unix.Close(n)
}

// number returns the error of a raw system call.
func number(_, _ uintptr, err unix.Errno) error {
	if err == 0 {
		return nil
	}
	return err
}

func errorName(err error) string {
	if number, ok := errors.AsType[unix.Errno](err); ok {
		return unix.ErrnoName(number)
	}
	if err != nil {
		return err.Error()
	}
	return "success"
}
