package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// A pager is a program that shows what is written to it a page at a time. Once it has been left, writing fails.
type pager struct {
	io.WriteCloser
	cmd *exec.Cmd
}

// startPager starts what $PAGER names, less where it names nothing.
func startPager(ctx context.Context, getenv func(string) string, out, errors io.Writer) (*pager, error) {
	words := strings.Fields(getenv("PAGER"))
	if len(words) == 0 {
		words = []string{"less"}
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = out, errors
	cmd.Env = os.Environ()
	if getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // colours as they are, and no pager for a single page
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, failure{err}
	}
	if err := cmd.Start(); err != nil {
		return nil, failure{fmt.Errorf("cannot start the pager %q: %w; set PAGER to a program, or leave out --pager", words[0], err)}
	}
	return &pager{in, cmd}, nil
}

// end waits until the pager is left.
func (p *pager) end() error {
	_ = p.Close()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
