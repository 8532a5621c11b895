//go:build linux

package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/tool"
)

// A session is a toolset over a repository.
type session struct {
	tools toolset
	root  string
	ask   func(call) string
	close func()
}

// open starts a toolset over a repository.
func open(ctx context.Context, tools toolset, root, npm, temp string) (*session, error) {
	s := &session{tools: tools, root: root, close: func() {}}
	switch tools.name {
	case shell().name:
		s.ask = func(c call) string {
			command := c.args["command"].(string)
			if from, ok := c.args["from"].(int); ok {
				command += fmt.Sprintf(" | tail -n +%d", from)
			}
			cmd := exec.CommandContext(ctx, "sh", "-c", command)
			cmd.Dir = root
			out, _ := cmd.CombinedOutput()
			return string(out)
		}
	case gemini().name:
		h, err := startHelper(ctx, npm, temp, root)
		if err != nil {
			return nil, err
		}
		s.close = h.close
		s.ask = func(c call) string {
			answer, err := h.do(object{"tool": c.tool, "args": c.args})
			if err != nil {
				return err.Error()
			}
			return answer.Text
		}
	case official().name:
		return s, s.connect(ctx, npm)
	default:
		t, err := gander.Open(gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxOutputBytes: -1, Timeout: -1}})
		if err != nil {
			return nil, err
		}
		s.close = func() { _ = t.Close() }
		s.ask = func(c call) string {
			args, _ := json.Marshal(c.args)
			result, err := t.Call(ctx, c.tool, tool.Call{Args: args})
			if err != nil {
				return err.Error()
			}
			return result.Text()
		}
	}
	return s, nil
}

// connect starts the MCP project's server.
func (s *session) connect(ctx context.Context, npm string) error {
	cmd := exec.CommandContext(ctx, "node", filepath.Join(npm, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), s.root)
	client := mcp.NewClient(&mcp.Implementation{Name: "explore", Version: "1"}, nil)
	server, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	s.close = func() { _ = server.Close() }
	s.ask = func(c call) string {
		result, err := server.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		for _, content := range result.Content {
			switch content := content.(type) {
			case *mcp.TextContent:
				b.WriteString(content.Text)
			case *mcp.ImageContent:
				b.WriteString("[" + content.MIMEType + "]")
			}
		}
		return b.String()
	}
	return nil
}

//go:embed helper.mjs
var helperProgram []byte

// A helper is the program that counts tokens and has Gemini CLI's tools.
type helper struct {
	in     io.WriteCloser
	out    *bufio.Reader
	close  func()
	counts bool
}

type helperAnswer struct {
	Tokens int
	Text   string
}

// startHelper starts the helper, with Gemini CLI's tools if there is a root.
func startHelper(ctx context.Context, npm, temp, root string) (*helper, error) {
	program := filepath.Join(temp, "helper.mjs")
	if err := os.WriteFile(program, helperProgram, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", program, root)
	cmd.Dir = npm
	h := &helper{close: func() {}}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		if root == "" {
			return h, nil // without node, bytes are counted
		}
		return nil, err
	}
	h.in, h.out = in, bufio.NewReader(out)
	h.close = func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	hello, err := h.receive()
	if err == nil && root != "" && hello.Text == "" {
		err = fmt.Errorf("@google/gemini-cli-core is not installed in %s", npm)
	}
	h.counts = hello.Tokens > 0
	return h, err
}

func (h *helper) do(request object) (helperAnswer, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return helperAnswer{}, err
	}
	if _, err := h.in.Write(append(line, '\n')); err != nil {
		return helperAnswer{}, err
	}
	return h.receive()
}

func (h *helper) receive() (a helperAnswer, err error) {
	line, err := h.out.ReadBytes('\n')
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(line, &a)
}

// tokens returns the number of tokens of a text, or of bytes if tokens cannot be counted.
func (h *helper) tokens(text string) (int, error) {
	if !h.counts {
		return len(text), nil
	}
	a, err := h.do(object{"text": text})
	return a.Tokens, err
}
