package jsonl

import (
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"gander/internal/frontend/framing"
	"gander/internal/jsonobject"
)

// serve serves a whole input and returns the replies.
func serve(t testing.TB, in io.Reader) []string {
	t.Helper()
	var out strings.Builder
	if err := Serve(t.Context(), registry(t, nil), Options{MaxCalls: 1}, in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if last := len(lines) - 1; lines[last] != "" {
		t.Errorf("the last reply has no end: %.100q", lines[last])
	}
	return lines[:len(lines)-1]
}

func refused(id, message string) string {
	return `{"id":` + id + `,"ok":false,"error":{"kind":"bad_arguments","message":` + strconv.Quote(message) + `}}`
}

func TestOneLine(t *testing.T) {
	const keys = "; the keys of this request are: id, tool, args, max_output_bytes, available_capacity_bytes"
	const noID = `"id" must be a string or a number: the id of a request`
	for _, c := range []struct{ name, line, want string }{
		{"call", `{"id":1,"tool":"test/answer","args":{"content":"a"}}`, `{"id":1,"ok":true,"content":"a"}`},
		{"published name", `{"id":1,"tool":"answer","args":{"content":"a"}}`, `{"id":1,"ok":true,"content":"a"}`},
		{"display", `{"id":1,"tool":"answer","args":{"content":"a","display":"b"}}`, `{"id":1,"ok":true,"content":"a","display":"b"}`},
		{"no args", `{"id":1,"tool":"answer"}`, `{"id":1,"ok":true,"content":""}`},
		{"args are the tool's matter", `{"id":1,"tool":"answer","args":[]}`, `{"id":1,"ok":false,"error":{"kind":"bad_arguments","message":"json: cannot unmarshal array into Go value of type struct { Content string; Display string; Error string; Size int; Block string }"}}`},
		{"error", `{"id":1,"tool":"answer","args":{"error":"no","display":"d"}}`, `{"id":1,"ok":false,"error":{"kind":"not_found","code":"GONE","message":"no","display":"d"}}`},
		{"unknown tool", `{"id":1,"tool":"other"}`, `{"id":1,"ok":false,"error":{"kind":"bad_arguments","message":"unknown tool \"other\"; the tools are: test/answer"}}`},
		{"carriage return", "{\"id\":1,\"tool\":\"answer\"}\r", `{"id":1,"ok":true,"content":""}`},
		{"white space", " {\t\"id\" : 1 , \"tool\":\"answer\"} ", `{"id":1,"ok":true,"content":""}`},

		{"string id", `{"id":"\u00e9\/ \"ü","tool":"answer"}`, `{"id":"\u00e9\/ \"ü","ok":true,"content":""}`},
		{"number id", `{"id":-1.50E+400,"tool":"answer"}`, `{"id":-1.50E+400,"ok":true,"content":""}`},
		{"long number id", `{"id":12345678901234567890123,"tool":"answer"}`, `{"id":12345678901234567890123,"ok":true,"content":""}`},
		{"empty id", `{"id":"","tool":"answer"}`, `{"id":"","ok":true,"content":""}`},
		{"no id", `{"tool":"answer"}`, refused("null", noID)},
		{"null id", `{"id":null,"tool":"answer"}`, refused("null", noID)},
		{"object id", `{"id":{},"tool":"answer"}`, refused("null", noID)},
		{"other case", `{"ID":1,"tool":"answer"}`, refused("null", noID)},

		{"exact text", "{\"id\":1,\"tool\":\"answer\",\"args\":{\"content\":\"<&>\\u2028\\u2029\\u0001\\n\\\"\\\\\\u007f\\ud83d\\ude00\"}}", "{\"id\":1,\"ok\":true,\"content\":\"<&>\u2028\u2029\\u0001\\n\\\"\\\\\x7f😀\"}"},
		{"smaller budget", `{"id":1,"tool":"answer","max_output_bytes":70,"available_capacity_bytes":80}`, `{"id":1,"ok":true,"content":"70"}`},
		{"smaller capacity", `{"id":1,"tool":"answer","max_output_bytes":90,"available_capacity_bytes":8.0e1}`, `{"id":1,"ok":true,"content":"80"}`},
		{"a limit of 0", `{"id":1,"tool":"answer","max_output_bytes":0}`, `{"id":1,"ok":false,"error":{"kind":"failed","message":"the output limit of 0 bytes is too small for the answer; raise it or ask for less"}}`},
		{"negative budget", `{"id":1,"tool":"answer","max_output_bytes":-1}`, refused("1", `"max_output_bytes" must be an integer from 0 to 9223372036854775807; leave it out for no limit`)},
		{"null budget", `{"id":1,"tool":"answer","available_capacity_bytes":null}`, refused("1", `"available_capacity_bytes" must be an integer from 0 to 9223372036854775807; leave it out for no limit`)},
		{"broken budget", `{"id":1,"tool":"answer","max_output_bytes":1.5}`, refused("1", `"max_output_bytes" must be an integer from 0 to 9223372036854775807; leave it out for no limit`)},
		{"huge budget", `{"id":1,"tool":"answer","max_output_bytes":1e30}`, refused("1", `"max_output_bytes" must be an integer from 0 to 9223372036854775807; leave it out for no limit`)},

		{"unknown key", `{"id":1,"tool":"answer","arg":{}}`, refused("1", `unknown key "arg"`+keys)},
		{"no tool", `{"id":1}`, refused("1", `"tool" must be the id or name of a tool, as a string`)},
		{"tool is no string", `{"id":1,"tool":7}`, refused("1", `"tool" must be the id or name of a tool, as a string`)},
		{"definitions", `{"id":1,"definitions":true}`, `{"id":1,"ok":true,"definitions":[]}`},
		{"definitions that are not wanted", `{"id":1,"definitions":false}`, refused("1", `"definitions" must be true`)},
		{"definitions and call", `{"id":1,"definitions":true,"tool":"answer"}`, refused("1", `unknown key "tool"; the keys of this request are: id, definitions`)},
		{"cancel and call", `{"id":1,"cancel":2,"tool":"answer"}`, refused("1", `unknown key "tool"; the keys of this request are: id, cancel`)},
		{"cancel null", `{"id":1,"cancel":null}`, refused("1", `"cancel" must be a string or a number: the id of a request`)},
		{"cancel nothing", `{"id":1,"cancel":2}`, `{"id":1,"ok":false,"error":{"kind":"not_found","message":"no call with the id 2 is under way; it may have been answered already"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, end := range []string{"", "\n", "\n\n \r\n"} {
				got := serve(t, strings.NewReader(c.line+end))
				if len(got) != 1 || got[0] != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			}
		})
	}
}

// TestHostileLines checks that lines that are not strict JSON are refused under their id if that can be read.
func TestHostileLines(t *testing.T) {
	for _, c := range []struct{ name, line, id string }{
		{"text", `hello`, "null"},
		{"array", `[{"id":1}]`, "null"},
		{"two objects", `{"id":1,"tool":"answer"}{"id":2}`, "1"},
		{"cut short", `{"id":1,"tool":"answer","args":{"content":"a`, "1"},
		{"cut before the id", `{"tool":"answer","args":{"con`, "null"},
		{"trailing comma", `{"id":1,"tool":"answer",}`, "1"},
		{"duplicate key", `{"id":1,"tool":"answer","tool":"other"}`, "1"},
		{"duplicate key in args", `{"tool":"answer","args":{"a":1,"a":2},"id":"x"}`, `"x"`},
		{"duplicate id", `{"id":1,"tool":"answer","id":2}`, "null"},
		{"duplicate id by escape", `{"id":1,"tool":"answer","i\u0064":1}`, "null"},
		{"half a surrogate pair", `{"id":1,"tool":"answer","args":{"content":"\ud800"}}`, "1"},
		{"half a surrogate pair in the id", `{"id":"\udc00","tool":"answer"}`, "null"},
		{"not UTF-8", "{\"id\":1,\"tool\":\"answer\",\"args\":{\"content\":\"\xff\"}}", "1"},
		{"not UTF-8 in the id", "{\"id\":\"\xff\",\"tool\":\"answer\"}", "null"},
		{"id is an object", `{"id":{"id":1},"tool":"answer",}`, "null"},
		{"NUL", "{\"id\":1,\x00\"tool\":\"answer\"}", "1"},
		{"byte order mark", "\ufeff{\"id\":1,\"tool\":\"answer\"}", "null"},
		{"leading zero", `{"id":01,"tool":"answer"}`, "null"},
		{"deep", `{"id":1,"args":` + strings.Repeat("[", 100000), "1"},
		{"deep before the id", strings.Repeat(`{"id":`, 100000), "null"},
		{"line feed as a character", "{\"id\":1,\u0085\"tool\":\"answer\"}", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := serve(t, strings.NewReader(c.line+"\n{\"id\":\"next\",\"tool\":\"answer\"}\n"))
			if len(got) != 2 {
				t.Fatalf("got %d replies: %.300q", len(got), got)
			}
			const next = `{"id":"next","ok":true,"content":""}`
			reply := got[0]
			if reply == next {
				reply = got[1]
			}
			if want := `{"id":` + c.id + `,"ok":false,"error":{"kind":"bad_arguments","message":"`; !strings.HasPrefix(reply, want) {
				t.Errorf("got  %s\nwant %s...", reply, want)
			}
		})
	}
}

const (
	maxLine = framing.MaxLine
	tooLong = "the line is too long: it has more than 16777216 bytes; send less in one message"
)

func TestLineLength(t *testing.T) {
	refusedLine := refused("null", tooLong)
	const next = "{\"id\":\"next\",\"tool\":\"answer\"}\n"
	line := func(length int) string {
		const frame = `{"id":1,"tool":"answer","args":{"x":""}}`
		return strings.Replace(frame, `""`, `"`+strings.Repeat("a", length-len(frame))+`"`, 1)
	}
	for _, c := range []struct{ name, in, want string }{
		{"16 MiB", line(maxLine) + "\n" + next, `{"id":1,"ok":true,"content":""}`},
		{"one byte more", line(maxLine+1) + "\n" + next, refusedLine},
		{"at the end of input", next + line(maxLine+1), refusedLine},
		{"white space", strings.Repeat(" ", maxLine+1) + "\n" + next, refusedLine},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := serve(t, strings.NewReader(c.in))
			if len(got) != 2 || got[0] != c.want && got[1] != c.want {
				t.Errorf("got %.300q", got)
			}
		})
	}
}

type endless struct{ text string }

func (e endless) Read(p []byte) (int, error) { return copy(p, e.text), nil }

func TestLongLineIsNotHeld(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := serve(t, io.LimitReader(endless{strings.Repeat("x", 1<<20)}, 40*maxLine))
	runtime.ReadMemStats(&after)
	if len(got) != 1 || got[0] != refused("null", tooLong) {
		t.Errorf("got %.300q", got)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*maxLine {
		t.Errorf("%d bytes were allocated for a line of %d", used, 40*maxLine)
	}
}

func TestInputInSmallPieces(t *testing.T) {
	in := iotest.OneByteReader(strings.NewReader("\n{\"id\":1,\"tool\":\"answer\"}\r\n\r\n{\"id\":2,\"tool\":\"answer\"}"))
	if got := serve(t, in); len(got) != 2 {
		t.Errorf("got %q", got)
	}
}

// FuzzServe checks that each line that is not empty gets one reply, and that the reply is strict JSON.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		"", "\n\n", "{\"id\":1,\"tool\":\"answer\"}\n{\"id\":1,\"cancel\":1}", `{"id":"a","tool":"answer","args":{"error":"` + "\xff" + `"}}`,
		"{\"id\":1,\"id\":1}\r\n[]\n\x00", `{"id":1e5,"tool":"answer","args":{"content":"\ud83d\ude00"},"max_output_bytes":3}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(strings.ToLower(in), "block") {
			t.Skip("would wait for its cancellation")
		}
		want := 0
		for line := range strings.SplitSeq(in, "\n") {
			if strings.Trim(line, " \t\r") != "" {
				want++
			}
		}
		got := serve(t, strings.NewReader(in))
		if len(got) != want {
			t.Errorf("%d replies to %d lines: %q", len(got), want, got)
		}
		for _, line := range got {
			reply, err := jsonobject.Parse([]byte(line))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if _, ok := reply.Get("ok"); !ok || reply.Keys()[0] != "id" {
				t.Errorf("reply %s", line)
			}
		}
	})
}
