// Command gander offers read-only file tools on the command line, to a parent process and over MCP. See gander --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"gander/internal/cli"
)

func main() {
	// The kernel hands signals to the main thread if it can. On a dead disk, a thread that reads would keep them.
	runtime.LockOSThread()
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	code := make(chan int, 1)
	go func() { code <- cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }()
	select {
	case c := <-code:
		os.Exit(c)
	case s := <-signals:
		cancel()
		// The command may finish what it writes, and a server answers the calls it has accepted. A second signal, or a read or
		// a write that is stuck, ends the wait.
		select {
		case <-code:
		case <-signals:
		case <-time.After(cli.Patience(os.Args[1:])):
		}
		os.Exit(128 + int(s.(syscall.Signal)))
	}
}
