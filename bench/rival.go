//go:build linux

package main

import (
	"bytes"
	"os/exec"
)

// rival is a command of others. It has several names where distributions rename it.
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

// knowing returns the first of names that is installed in a version whose help names option, and none where that lacks.
func knowing(option string, names []string) []string {
	for _, name := range names {
		if help, err := exec.Command(name, "--help").CombinedOutput(); err == nil && bytes.Contains(help, []byte(option)) {
			return []string{name}
		}
	}
	return nil
}

func fd() []string  { return []string{"fd", "fdfind"} }
func bat() []string { return []string{"bat", "batcat"} }

// npm is a call to @modelcontextprotocol/server-filesystem, which is measured as how says.
func (k kit) npm(c call, measured string, how func(session) measurement) program {
	p := program{name: "npm `" + c.tool + "`", measured: measured}
	if node, err := exec.LookPath("node"); err == nil && k.npmServer != "" {
		p.measure = how(session{words: []string{node, k.npmServer, k.data.Dir}, protocol: mcpProtocol{}, timed: c})
	}
	return p
}

// npmFirst is a call to that server after one other.
func (k kit) npmFirst(c call) program {
	return k.npm(c, "call", func(s session) measurement {
		s.before = []call{{"list_directory", args{"path": k.data.Empty()}}}
		return s.call
	})
}
