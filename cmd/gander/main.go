// Command gander serves read-only file tools over MCP, and runs them as commands.
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
	// The kernel prefers the main thread for signals, which a read from a dead disk would block.
	runtime.LockOSThread()
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	code := make(chan int, 1)
	go func() { code <- cli.Main(ctx, os.Args[1:]) }()
	select {
	case c := <-code:
		os.Exit(c)
	case s := <-signals:
		cancel()
		// The command can finish its output, and a server the accepted calls, until a second
		// signal or the timeout.
		isServer, timeout := cli.Shutdown(os.Args[1:])
		select {
		case <-code:
			if isServer && s == syscall.SIGTERM { // which is how a server is stopped
				os.Exit(0)
			}
		case <-signals:
		case <-time.After(timeout):
		}
		os.Exit(128 + int(syscall.SIGINT))
	}
}
