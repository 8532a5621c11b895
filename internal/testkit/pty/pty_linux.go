// Package pty runs a command on a pseudo-terminal and returns what the command writes there.
package pty

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Run runs cmd on a terminal of that many columns and returns what it writes there, with \r\n replaced by \n. Streams of cmd that
// are nil are connected to the terminal. A non-zero exit code is not an error.
func Run(t testing.TB, cmd *exec.Cmd, columns int) string {
	t.Helper()
	master, slave, err := open(columns)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if cmd.Stdin == nil {
		cmd.Stdin = slave
	}
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	if cmd.Stderr == nil {
		cmd.Stderr = slave
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: fdOf(cmd, slave)}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	var out bytes.Buffer
	// Reading fails with EIO when the last process that has the terminal open closes it.
	if _, err := io.Copy(&out, master); err != nil && !errors.Is(err, unix.EIO) {
		t.Error(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// fdOf returns the first descriptor of the command that is the terminal.
func fdOf(cmd *exec.Cmd, slave *os.File) int {
	for fd, stream := range []any{cmd.Stdin, cmd.Stdout, cmd.Stderr} {
		if stream == any(slave) {
			return fd
		}
	}
	return 0
}

// open opens both ends of a new terminal.
func open(columns int) (master, slave *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open /dev/ptmx: %w", err)
	}
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	defer func() {
		if err != nil {
			master.Close()
		}
	}()
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}); err != nil {
		return nil, nil, err
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	return master, slave, err
}
