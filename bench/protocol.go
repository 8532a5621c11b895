//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A call is a call of a tool.
type call struct {
	tool string
	args args
}

type args = map[string]any

// A protocol writes calls as lines and checks answers.
type protocol interface {
	initialize(s *server) error
	request(c call) string
	check(answer []byte) error
}

// refused returns a check that accepts only this error of a tool.
func refused(message string) func(answer []byte) error {
	want := encode(message)
	return func(answer []byte) error {
		failed := bytes.Contains(answer, []byte(`"isError":true`))
		if !failed || !bytes.Contains(answer, []byte(`"text":`+want)) {
			return fmt.Errorf("answered %.200s, not the error %s", answer, want)
		}
		return nil
	}
}

// mcpProtocol is the Model Context Protocol over standard input and output. All requests have the
// same id.
type mcpProtocol struct{ id int }

func (p mcpProtocol) initialize(s *server) error {
	answer, err := s.ask(encode(args{
		"jsonrpc": "2.0", "id": p.id, "method": "initialize",
		"params": args{
			"protocolVersion": "2025-06-18",
			"capabilities":    args{},
			"clientInfo":      args{"name": "bench", "version": "1"},
		},
	}))
	if err = errors.Join(err, p.check(answer)); err != nil {
		return err
	}
	return s.send(encode(args{"jsonrpc": "2.0", "method": "notifications/initialized"}))
}

func (p mcpProtocol) request(c call) string {
	return encode(args{
		"jsonrpc": "2.0", "id": p.id, "method": "tools/call",
		"params": args{"name": served(c.tool), "arguments": c.args},
	})
}

// served returns the name of a tool in a server of all tools, where those that have the same name
// are called FAMILY_NAME. The tools of other servers have no id, and are returned unchanged.
func served(id string) string {
	family, name, found := strings.Cut(id, "/")
	switch {
	case !found:
		return id
	case slices.Contains([]string{"list_dir", "read_file", "list_directory"}, name):
		return family + "_" + name
	default:
		return name
	}
}

func (p mcpProtocol) check(answer []byte) error {
	good := bytes.Contains(answer, fmt.Appendf(nil, `"id":%d`, p.id)) && bytes.Contains(answer, []byte(`"result":`))
	if !good || bytes.Contains(answer, []byte(`"isError":true`)) {
		return fmt.Errorf("answered %.200s", answer)
	}
	return nil
}

// floorProtocol is the protocol of the floor program: any line asks for a pass.
type floorProtocol struct{}

func (floorProtocol) initialize(*server) error { return nil }
func (floorProtocol) request(call) string      { return "pass" }
func (floorProtocol) check(_ []byte) error     { return nil }

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of strings and numbers can be encoded
	}
	return string(b)
}
