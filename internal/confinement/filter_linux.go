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

// refused are the system calls that gander never makes and that Landlock does not refuse in every
// version, besides those in refusedHere. They fail with EPERM.
var refused = []uint32{
	// programs
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_UNSHARE, unix.SYS_SETNS,
	// connections: of TCP, UDP and all other kinds of socket
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG,
	// System V IPC: others' queues, semaphores and memory can be used by their numbers.
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL,
	// message queues of POSIX
	unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	// other processes
	unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP,
	unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET, unix.SYS_SCHED_SETAFFINITY,
	unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETATTR,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	// the contents and attributes of files
	unix.SYS_TRUNCATE, unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2,
	unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_FILE_SETATTR,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
	// ways around: io_uring makes other calls, and a file handle is not a path
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_OPEN_BY_HANDLE_AT,
	// the system
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}

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
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: foreignCalls},
		result(unix.EPERM),
		// Its flags are in memory, which the program cannot read. C libraries then call clone.
		equal(unix.SYS_CLONE3, 0, 1), result(unix.ENOSYS),
	}
	for _, call := range slices.Concat(refused, refusedHere) {
		program = append(program, equal(call, 0, 1), result(unix.EPERM))
	}
	program = append(program,
		equal(unix.SYS_CLONE, 0, 4), load(argument(0)),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jf: 1, K: unix.CLONE_THREAD},
		result(0), result(unix.EPERM),
	)
	for _, r := range restricted() {
		program = append(program, r.program()...)
	}
	return append(program, result(0))
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
