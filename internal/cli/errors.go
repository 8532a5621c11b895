package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
	"gander/tool"
)

// The exit codes, whose meanings never change.
const (
	exitOK          = 0
	exitFailed      = 1 // a call or a stream failed, or nothing was found
	exitUsage       = 2 // the command, its arguments, its configuration or its roots are wrong
	exitInterrupted = 130
)

// An exitError is an error with an exit code, whatever it wraps.
type exitError struct {
	code int
	err  error // nil if the command has printed what failed
}

func (e exitError) Error() string {
	if e.err == nil {
		return "the command has failed"
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

// failure returns err with [exitFailed], or nil.
func failure(err error) error {
	if err == nil {
		return nil
	}
	return exitError{exitFailed, err}
}

// exitCode returns the exit code for err. By default an error is a usage error.
func exitCode(err error) int {
	if e, ok := errors.AsType[exitError](err); ok {
		return e.code
	}
	e, isOfTool := errors.AsType[*tool.Error](err)
	switch {
	case errors.Is(err, context.Canceled), isOfTool && e.Kind == tool.Cancelled:
		return exitInterrupted
	case errors.Is(err, context.DeadlineExceeded), isOfTool && e.Kind != tool.BadArguments:
		return exitFailed
	default:
		return exitUsage
	}
}

// printError prints an error on one line. It prints each of several joined errors.
func printError(cmd *cobra.Command, err error) {
	for _, each := range split(err) {
		cmd.PrintErrf("gander: %s\n", terminal.Line(each.Error()))
	}
}

// split returns the errors that are joined in err, each with its exit code, or err alone.
func split(err error) (all []error) {
	switch err := err.(type) {
	case exitError:
		for _, each := range split(err.err) {
			all = append(all, exitError{err.code, each})
		}
	case interface{ Unwrap() []error }:
		for _, each := range err.Unwrap() {
			all = append(all, split(each)...)
		}
	default:
		all = []error{err}
	}
	return all
}

// changeErrors returns err with each of the errors joined in it changed.
func changeErrors(err error, change func(error) error) error {
	var changed []error
	for _, each := range split(err) {
		changed = append(changed, change(each))
	}
	return errors.Join(changed...)
}

func withAdvice(err error) error {
	if e, ok := errors.AsType[*tool.Error](err); ok && e.Kind == tool.Outside {
		return fmt.Errorf("%w; --root adds a directory", err)
	}
	return err
}
