//go:build linux

package main

import (
	"context"
	"time"
)

// A session starts a server, makes some calls, and measures the last one.
type session struct {
	command    []string
	env        []string
	protocol   protocol
	before     []call // calls that are made first and not measured
	timed      call
	checkTimed func(answer []byte) error // checks the answer to the timed call; nil for the protocol's own check
	times      int                       // number of times the timed call is made; the sample is the median. 0 means 1
}

// call measures the timed call, from before its line is written until its answer has been read.
func (s session) call(ctx context.Context) (sample, error) {
	server, err := launch(ctx, s.command, s.env)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	if err := s.prepare(server); err != nil {
		return sample{}, err
	}
	var times []time.Duration
	for range max(s.times, 1) {
		start := time.Now()
		if err := s.askTimed(server); err != nil {
			return sample{}, err
		}
		times = append(times, time.Since(start))
	}
	peak, err := server.peak()
	return sample{took: median(times), peak: peak}, err
}

// prepare initializes the session and makes the calls that precede the timed one.
func (s session) prepare(server *server) error {
	if err := s.protocol.initialize(server); err != nil {
		return err
	}
	for _, c := range s.before {
		if err := s.ask(server, c); err != nil {
			return err
		}
	}
	return nil
}

// start measures from before the server is started until the answer to the timed call has been read.
func (s session) start(ctx context.Context) (sample, error) { return s.measureStart(ctx, s.askTimed) }

// initialization measures from before the server is started until the session is initialized. It makes no call.
func (s session) initialization(ctx context.Context) (sample, error) {
	return s.measureStart(ctx, func(*server) error { return nil })
}

// measureStart measures from before the server is started until the session is initialized and then has returned.
func (s session) measureStart(ctx context.Context, then func(*server) error) (sample, error) {
	start := time.Now()
	server, err := launch(ctx, s.command, s.env)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	if err = s.protocol.initialize(server); err == nil {
		err = then(server)
	}
	took := time.Since(start)
	if err != nil {
		return sample{}, err
	}
	peak, err := server.peak()
	return sample{took: took, peak: peak}, err
}

func (s session) ask(server *server, c call) error {
	return s.check(server, c, s.protocol.check)
}

func (s session) askTimed(server *server) error {
	if s.checkTimed != nil {
		return s.check(server, s.timed, s.checkTimed)
	}
	return s.ask(server, s.timed)
}

func (s session) check(server *server, c call, check func(answer []byte) error) error {
	answer, err := server.ask(s.protocol.request(c))
	if err != nil {
		return err
	}
	return check(answer)
}
