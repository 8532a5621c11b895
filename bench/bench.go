//go:build linux

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"gander/bench/data"
)

// A bench holds the data, and the programs that answer questions about it.
type bench struct {
	data                        data.Set
	source                      string // path of Go's source, or ""
	gander, floor, echo, search string // paths of programs
	config                      string // path of a configuration of gander without limits
	single                      string // path of the same with one call at a time
	npmServer, ripgrepServer    string // paths of index.js of servers in Node.js, or ""
}

// newBench builds the programs in dir, except gander if its path is given.
func newBench(ctx context.Context, dir string, set data.Set, gander string) (bench, error) {
	b := bench{data: set, source: goSource(ctx), gander: gander, config: filepath.Join(dir, "unlimited.toml"), single: filepath.Join(dir, "single.toml")}
	for _, p := range []struct {
		path *string
		pkg  string
	}{{&b.gander, "gander/cmd/gander"}, {&b.floor, "gander/bench/floor"}, {&b.echo, "gander/bench/echo"}, {&b.search, "gander/bench/search"}} {
		if *p.path != "" {
			continue
		}
		var err error
		if *p.path, err = build(ctx, dir, p.pkg); err != nil {
			return bench{}, err
		}
	}
	const unlimited = "[limits]\nmax_output_bytes = 0\ntimeout = \"0s\"\n"
	return b, errors.Join(
		os.WriteFile(b.config, []byte(unlimited), 0o644),
		os.WriteFile(b.single, []byte(unlimited+"max_calls = 1\n"), 0o644),
	)
}

// ganderCall returns a program that measures a call to gander.
func ganderCall(name string, s session, g goal) program {
	return program{name: "**" + name + "**", measured: "call", measure: s.call, goal: g}
}

// firstCall returns a call to a gander mcp that has just started and answered one other call.
func (b bench) firstCall(c call) session {
	return session{
		command:  []string{b.gander, "mcp", "--tools", "all", "--root", b.data.Dir},
		protocol: mcpProtocol{},
		before:   []call{b.emptyDirectory()},
		timed:    c,
	}
}

// unlimitedCall is like firstCall, without limits on output and time.
func (b bench) unlimitedCall(c call) session {
	s := b.firstCall(c)
	s.command = append(s.command, "--config", b.config)
	return s
}

// oneThread returns s with a server that computes on one thread only.
func oneThread(s session) session {
	s.env = []string{"GOMAXPROCS=1"}
	return s
}

// laterCall is like firstCall, after another call to the same server.
func (b bench) laterCall(before, c call) session {
	s := b.firstCall(c)
	s.before = append(s.before, before)
	return s
}

// emptyDirectory returns the cheapest call that reads something.
func (b bench) emptyDirectory() call { return call{"codex/list_dir", args{"dir_path": b.data.Empty()}} }

// ganderCommand returns a program that runs gander call.
func (b bench) ganderCommand(name string, c call, g goal, options ...string) program {
	command := append([]string{b.gander, "call", "--root", b.data.Dir}, options...)
	command = append(command, c.tool, encode(c.args))
	return program{name: "**" + name + "**", measured: "process", measure: process(command...), goal: g}
}

// mcpCall returns a call to a gander mcp that has just started with these options.
func (b bench) mcpCall(c call, options ...string) session {
	return session{command: append([]string{b.gander, "mcp", "--root", b.data.Dir}, options...), protocol: mcpProtocol{}, timed: c}
}

// floorPass returns one pass of the floor program.
func (b bench) floorPass(name string, args ...string) program {
	s := session{command: append([]string{b.floor}, args...), protocol: floorProtocol{}}
	return program{name: name, measured: "call", measure: s.call}
}
