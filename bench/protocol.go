//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// jsonlProtocol is the protocol of gander jsonl.
type jsonlProtocol struct{}

func (jsonlProtocol) initialize(*server) error { return nil }

func (jsonlProtocol) request(c call) string {
	return encode(args{"id": 1, "tool": c.tool, "args": c.args})
}

func (jsonlProtocol) check(answer []byte) error {
	if !bytes.HasPrefix(answer, []byte(`{"id":1,"ok":true`)) {
		return fmt.Errorf("answered %.200s", answer)
	}
	return nil
}

// refused returns a check that accepts only this error of gander jsonl.
func refused(kind, message string) func(answer []byte) error {
	want := fmt.Sprintf(`{"id":1,"ok":false,"error":{"kind":%s,"message":%s}}`, encode(kind), encode(message))
	return func(answer []byte) error {
		if string(bytes.TrimSuffix(answer, []byte("\n"))) != want {
			return fmt.Errorf("answered %.200s, not %s", answer, want)
		}
		return nil
	}
}

// mcpProtocol is the Model Context Protocol over standard input and output.
type mcpProtocol struct{}

func (p mcpProtocol) initialize(s *server) error {
	answer, err := s.ask(encode(args{
		"jsonrpc": "2.0", "id": 1, "method": "initialize",
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

func (mcpProtocol) request(c call) string {
	return encode(args{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": args{"name": c.tool, "arguments": c.args},
	})
}

func (mcpProtocol) check(answer []byte) error {
	good := bytes.Contains(answer, []byte(`"id":1`)) && bytes.Contains(answer, []byte(`"result":`))
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
