//go:build linux

package main

import (
	"context"
	"time"
)

// A session is a new server that is asked for something.
type session struct {
	words    []string
	env      []string
	protocol protocol
	before   []call // made first, and not measured
	timed    call
	wanted   func(answer []byte) error // checks the answer to the timed call; nil where the protocol does
	times    int                       // how often the timed call is made; the sample is the median. 0 means once
}

// call measures the timed call, from before its line is written until after its answer is read.
func (s session) call(ctx context.Context) (sample, error) {
	server, err := launch(ctx, s.words, s.env)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	if err := s.protocol.greet(server); err != nil {
		return sample{}, err
	}
	for _, c := range s.before {
		if err := s.ask(server, c); err != nil {
			return sample{}, err
		}
	}
	var times []time.Duration
	cpu := server.cpu()
	for range max(s.times, 1) {
		start := time.Now()
		if err := s.askTimed(server); err != nil {
			return sample{}, err
		}
		times = append(times, time.Since(start))
	}
	cpu = (server.cpu() - cpu) / time.Duration(len(times))
	peak, err := server.peak()
	return sample{took: median(times), cpu: cpu, peak: peak}, err
}

// start measures from before the server is spawned until the answer to the timed call is read.
func (s session) start(ctx context.Context) (sample, error) { return s.spawn(ctx, s.askTimed) }

// greeting measures from before the server is spawned until it has been greeted. No call is made.
func (s session) greeting(ctx context.Context) (sample, error) {
	return s.spawn(ctx, func(*server) error { return nil })
}

// spawn measures from before the server is spawned until it has been greeted and then has done what is asked of it.
func (s session) spawn(ctx context.Context, then func(*server) error) (sample, error) {
	start := time.Now()
	server, err := launch(ctx, s.words, s.env)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	if err = s.protocol.greet(server); err == nil {
		err = then(server)
	}
	took := time.Since(start)
	if err != nil {
		return sample{}, err
	}
	peak, err := server.peak()
	return sample{took: took, cpu: server.cpu(), peak: peak}, err
}

func (s session) ask(server *server, c call) error {
	return s.check(server, c, s.protocol.check)
}

func (s session) askTimed(server *server) error {
	if s.wanted != nil {
		return s.check(server, s.timed, s.wanted)
	}
	return s.ask(server, s.timed)
}

func (s session) check(server *server, c call, good func(answer []byte) error) error {
	answer, err := server.ask(s.protocol.request(c))
	if err != nil {
		return err
	}
	return good(answer)
}
