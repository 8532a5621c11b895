//go:build amd64 || arm64

package confinement

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// permitted are the system calls that the runtime of Go, that of C and gander make, besides those
// in permittedHere and restricted, the most frequent first. They work on handles that are open
// already, on memory and threads of the process, and on paths only to read.
var permitted = []uint32{
	unix.SYS_FUTEX, unix.SYS_READ, unix.SYS_WRITE, unix.SYS_PREAD64, unix.SYS_OPENAT, unix.SYS_CLOSE,
	unix.SYS_FSTAT, unix.SYS_GETDENTS64, unix.SYS_NANOSLEEP, unix.SYS_SCHED_YIELD,
	unix.SYS_EPOLL_PWAIT, unix.SYS_READLINKAT, unix.SYS_MADVISE,
	// files
	unix.SYS_OPENAT2, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS, unix.SYS_FACCESSAT,
	unix.SYS_FACCESSAT2, unix.SYS_GETCWD, unix.SYS_LSEEK, unix.SYS_READV, unix.SYS_PREADV,
	unix.SYS_PREADV2, unix.SYS_FADVISE64, unix.SYS_READAHEAD, unix.SYS_GETXATTR, unix.SYS_FGETXATTR,
	unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2, unix.SYS_EVENTFD2,
	// handles that were opened to write before the confinement
	unix.SYS_WRITEV, unix.SYS_PWRITE64, unix.SYS_PWRITEV, unix.SYS_PWRITEV2, unix.SYS_FTRUNCATE,
	unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_COPY_FILE_RANGE,
	// the listener and its connections
	unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_SHUTDOWN, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME,
	unix.SYS_GETSOCKOPT, unix.SYS_SETSOCKOPT, unix.SYS_RECVFROM, unix.SYS_RECVMSG,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT2, unix.SYS_PPOLL,
	unix.SYS_PSELECT6,
	// memory
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MINCORE,
	unix.SYS_BRK, unix.SYS_MEMBARRIER, unix.SYS_MLOCK, unix.SYS_MUNLOCK,
	// threads and signals of the process
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETPPID,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING,
	unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGSUSPEND, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_SCHED_GETAFFINITY,
	unix.SYS_GETCPU, unix.SYS_FUTEX_WAITV, unix.SYS_FUTEX_WAKE, unix.SYS_FUTEX_WAIT,
	unix.SYS_FUTEX_REQUEUE,
	// time, users and the system
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_GETTIMEOFDAY,
	unix.SYS_SETITIMER, unix.SYS_GETITIMER, unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME,
	unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_DELETE, unix.SYS_GETRANDOM, unix.SYS_GETUID,
	unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETGROUPS, unix.SYS_UNAME,
	unix.SYS_SYSINFO, unix.SYS_GETRUSAGE, unix.SYS_TIMES,
}

// newest is the highest number of a system call that was known when permitted was made. The runtime
// expects ENOSYS for those that are newer.
const newest = unix.SYS_FILE_SETATTR

// restricted returns the rules of calls that are permitted for some values of an argument only.
func restricted() []rule {
	self := uint32(os.Getpid())
	return []rule{
		{unix.SYS_KILL, 0, []uint32{self}},
		{unix.SYS_TGKILL, 0, []uint32{self}},
		{unix.SYS_PRLIMIT64, 0, []uint32{0, self}}, // a limit can end a process
		// Others send signals to any process, or change a file that was opened to read it.
		{unix.SYS_FCNTL, 1, []uint32{
			unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
		}},
		{unix.SYS_IOCTL, 1, []uint32{unix.TCGETS, unix.TIOCGWINSZ, unix.FS_IOC_GETFLAGS}},
		{unix.SYS_PRCTL, 0, []uint32{unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA}},
	}
}

// A rule permits a call if the low half of an argument is one of values. Otherwise it fails with
// EPERM.
type rule struct {
	call     uint32
	argument uintptr // counts from 0
	values   []uint32
}

// foreignCalls is the lowest number of the system calls in the x32 ABI.
const foreignCalls = 0x40000000

// filter returns the program of the seccomp filter, in the classic BPF. It can compare the first 32
// bits of an argument with constants.
func filter() []unix.SockFilter {
	program := []unix.SockFilter{
		load(unsafe.Offsetof(seccompData{}.arch)), equal(architecture, 1, 0), result(unix.EPERM),
		load(unsafe.Offsetof(seccompData{}.call)),
		greater(foreignCalls-1, 0, 1), result(unix.EPERM),
		// Its flags are in memory, which the program cannot read. C libraries then call clone.
		equal(unix.SYS_CLONE3, 0, 1), result(unix.ENOSYS),
	}
	for _, call := range slices.Concat(permitted, permittedHere) {
		program = append(program, equal(call, 0, 1), result(0))
	}
	program = append(program,
		equal(unix.SYS_CLONE, 0, 4), load(argument(0)),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jf: 1, K: unix.CLONE_THREAD},
		result(0), result(unix.EPERM),
	)
	for _, r := range restricted() {
		program = append(program, r.program()...)
	}
	return append(program, greater(newest, 0, 1), result(unix.ENOSYS), result(unix.EPERM))
}

// program returns the instructions of a rule, which other calls skip.
func (r rule) program() []unix.SockFilter {
	program := []unix.SockFilter{load(argument(r.argument))}
	for _, value := range r.values {
		program = append(program, equal(value, 0, 1), result(0))
	}
	program = append(program, result(unix.EPERM))
	return append([]unix.SockFilter{equal(r.call, 0, uint8(len(program)))}, program...)
}

// A seccompData is the input of the program, the struct seccomp_data of linux/seccomp.h.
type seccompData struct {
	call      uint32
	arch      uint32
	_         uint64 // the address of the instruction
	arguments [6]uint64
}

// argument returns the offset of the low half of an argument on a little-endian processor.
func argument(n uintptr) uintptr { return unsafe.Offsetof(seccompData{}.arguments) + 8*n }

func load(offset uintptr) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: uint32(offset)}
}

// equal skips as many instructions as yes if the loaded value is k, and else as many as no.
func equal(k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: yes, Jf: no, K: k}
}

// greater is like equal for a loaded value above k.
func greater(k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, Jt: yes, Jf: no, K: k}
}

// result ends the program. The system call fails with err, or is made if err is 0.
func result(err unix.Errno) unix.SockFilter {
	action := uint32(unix.SECCOMP_RET_ALLOW)
	if err != 0 {
		action = unix.SECCOMP_RET_ERRNO | uint32(err)
	}
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

func supportsFilter() error {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, err := unix.Syscall(
		unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)),
	)
	if err != 0 {
		return err
	}
	return nil
}

// applyFilter applies the filter to all threads, and to those they start.
func applyFilter() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("prctl: %w", err)
	}
	program := filter()
	described := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	// Without this flag, which Linux 4.17 introduced, some processors would become slower.
	err := setFilter(&described, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW)
	if errors.Is(err, unix.EINVAL) {
		err = setFilter(&described, 0)
	}
	return err
}

// setFilter applies a filter to all threads, or to none.
func setFilter(program *unix.SockFprog, flags uintptr) error {
	thread, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_TSYNC|flags, uintptr(unsafe.Pointer(program)))
	switch {
	case err != 0:
		return fmt.Errorf("seccomp: %w", err)
	case thread != 0:
		return fmt.Errorf("seccomp: thread %d has another filter", thread)
	}
	return nil
}
