// Command gander offers its tools on the command line, to a parent process and over MCP. See gander --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"gander/internal/frontend/cli"
)

func main() {
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
		// What runs may end its line, and a server answers what is in flight; a read or write that is stuck keeps nobody
		// waiting for longer.
		select {
		case <-code:
		case <-signals:
		case <-time.After(cli.Patience(os.Args[1:])):
		}
		os.Exit(128 + int(s.(syscall.Signal)))
	}
}
