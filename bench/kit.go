//go:build linux

package main

import (
	"context"
	"os"
	"path/filepath"

	"gander/bench/data"
)

// A kit is what the rows are made of: data, and programs that answer questions about it.
type kit struct {
	data                data.Set
	gander, floor, echo string // paths of programs
	config              string // path of a configuration of gander without limits
	npmServer           string // path of the MCP server's index.js; empty where there is none
}

// newKit builds what it is not given, into dir.
func newKit(ctx context.Context, dir string, set data.Set, gander, npmServer string) (kit, error) {
	k := kit{data: set, gander: gander, npmServer: npmServer, config: filepath.Join(dir, "unlimited.toml")}
	for _, p := range []struct {
		path *string
		pkg  string
	}{{&k.gander, "gander/cmd/gander"}, {&k.floor, "gander/bench/floor"}, {&k.echo, "gander/bench/echo"}} {
		if *p.path != "" {
			continue
		}
		var err error
		if *p.path, err = build(ctx, dir, p.pkg); err != nil {
			return kit{}, err
		}
	}
	return k, os.WriteFile(k.config, []byte("[limits]\nmax_output_bytes = 0\ntimeout = \"0s\"\n"), 0o644)
}

// own is a program of gander's, and its goal.
func own(name string, s session, g goal) program {
	return program{name: "**" + name + "**", measured: "call", measure: s.call, goal: g}
}

// first is a call to a gander jsonl that has just started and answered one call.
func (k kit) first(c call) session {
	return session{
		words:    []string{k.gander, "jsonl", "--root", k.data.Dir},
		protocol: jsonlProtocol{},
		before:   []call{k.nothing()},
		timed:    c,
	}
}

// unlimited is like first, without limits on output and time.
func (k kit) unlimited(c call) session {
	s := k.first(c)
	s.words = append(s.words, "--config", k.config)
	return s
}

// oneThread in the environment of a Go program lets it compute on one thread only.
const oneThread = "GOMAXPROCS=1"

func onOneThread(s session) session {
	s.env = []string{oneThread}
	return s
}

// later is a call to the same server after another one.
func (k kit) later(before, c call) session {
	s := k.first(c)
	s.before = append(s.before, before)
	return s
}

// nothing is the cheapest call that reads something: an empty directory.
func (k kit) nothing() call { return call{"codex/list_dir", args{"dir_path": k.data.Empty()}} }

// whole is a call by a gander call.
func (k kit) whole(name string, c call, g goal, options ...string) program {
	command := append([]string{k.gander, "call", "--root", k.data.Dir}, options...)
	command = append(command, c.tool, encode(c.args))
	return program{name: "**" + name + "**", measured: "process", measure: process(command...), goal: g}
}

// mcp is a call to a gander mcp.
func (k kit) mcp(c call) session {
	return session{words: []string{k.gander, "mcp", "--root", k.data.Dir}, protocol: mcpProtocol{}, timed: c}
}

// pass is one pass of the floor program.
func (k kit) pass(name string, args ...string) program {
	s := session{words: append([]string{k.floor}, args...), protocol: floorProtocol{}}
	return program{name: name, measured: "call", measure: s.call}
}
