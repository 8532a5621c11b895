//go:build linux

package main

import "os/exec"

// rival returns a command that others made, under the first of names that is installed. Distributions rename some.
func rival(shown string, names []string, args ...string) program {
	p := program{name: "`" + shown + "`", measured: "process"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			p.measure = process(append([]string{path}, args...)...)
			break
		}
	}
	return p
}

func fd() []string  { return []string{"fd", "fdfind"} }
func bat() []string { return []string{"bat", "batcat"} }

// nodeServer returns a call to an MCP server in Node.js, which is not installed if its path is "".
func nodeServer(name, path string, args []string, c call, measured string, measure func(session) measurement) program {
	p := program{name: name + " `" + c.tool + "`", measured: measured}
	if node, err := exec.LookPath("node"); err == nil && path != "" {
		p.measure = measure(session{command: append([]string{node, path}, args...), protocol: mcpProtocol{}, timed: c})
	}
	return p
}

// npm returns a call to @modelcontextprotocol/server-filesystem, measured by measure.
func (b bench) npm(c call, measured string, measure func(session) measurement) program {
	return nodeServer("npm", b.npmServer, []string{b.data.Dir}, c, measured, measure)
}

// npmFirst returns a call to that server after one other call.
func (b bench) npmFirst(c call) program {
	return b.npm(c, "call", func(s session) measurement {
		s.before = []call{{"list_directory", args{"path": b.data.Empty()}}}
		return s.call
	})
}
