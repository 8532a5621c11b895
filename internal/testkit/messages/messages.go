// Package messages generates messages of MCP clients: ordinary, wrong and hostile ones.
package messages

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed methods.txt
var methods string

const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// The parts of a message can contain these words: {"id":<n>,"method":"<long>"} becomes
// {"id":7,"method":"1111..."}.
const (
	long    = "<long>" // a long string of fillers
	counter = "<n>"    // a number
	// Filler is repeated in long strings. It can be part of a number and of a string.
	Filler = "1"
)

var ids = []struct {
	text string
	kind ID
}{
	{``, NoID},
	{`"id":<n>`, ValidID},
	{`"id":-<n>`, ValidID},
	{`"id":<n>.0`, ValidID},
	{`"id":"<n>"`, ValidID},
	{`"id":"\u001b\u0000\u2028<&>é<n>"`, ValidID},
	{`"id":null`, WrongID},
	{`"id":true`, WrongID},
	{`"id":<n>.5`, WrongID},
	{`"id":1e400`, WrongID},
	{`"id":9007199254740993`, WrongID},
	{`"id":[<n>]`, WrongID},
	{`"id":{"id":<n>}`, WrongID},
	{`"id":"\ud800"`, WrongID},
	{`"id":"\u001b\ud800\u001b"`, WrongID},
	{`"id":"<long>"`, WrongID},
	{`"id":1<long>`, WrongID},
	{`"id":<n>,"id":<n>`, WrongID},
}

// An ID is a kind of id.
type ID int

// The kinds of ids: none, one that a response repeats, and any other.
const (
	NoID ID = iota
	ValidID
	WrongID
)

var params = []string{
	``,
	`"params":null`,
	`"params":true`,
	`"params":5`,
	`"params":"\u001b"`,
	`"params":"<long>"`,
	`"params":[]`,
	`"params":[1,"\u001b",{}]`,
	`"params":{}`,
	`"params":{"a":1,"a":2}`,
	`"params":{"a":"\ud800"}`,
	`"params":{"<long>":1}`,
	`"params":{"<long>":1,"<long>":1}`,
	`"params":{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
	`"params":{"a":[` + strings.Repeat("1,", 10_000) + `1]}`,
	`"params":{"uri":"file:///a\u001bb","name":"\u001b","cursor":"\u001b","level":"\u001b"}`,
	`"params":{"uri":"<long>","name":"<long>"}`,
	`"params":{"uri":5,"name":5,"cursor":5,"level":5,"arguments":5,"capabilities":5}`,
	`"params":{"uri":[],"name":{},"arguments":[],"_meta":[],"requestId":[]}`,
	`"params":{"ref":{"type":"ref/prompt","name":"\u001b"},"argument":{"name":"a","value":"\u001b"}}`,
	`"params":{"ref":{"type":"\u001b<long>"},"argument":5}`,
	`"params":{"requestId":1.5}`,
	`"params":{"requestId":"\u001b","reason":"\u001b"}`,
	`"params":{"requestId":7}`,
	`"params":{"requestId":"<long>"}`,
	`"params":{"progressToken":"\u001b","progress":1e400,"_meta":{"progressToken":{}}}`,
	`"params":{"taskId":"\u001b","notifications":{"resourceSubscriptions":["\u001b"]}}`,
	`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"\u001b"}}`,
	`"params":{"protocolVersion":"<long>","capabilities":null,"clientInfo":null}`,
	`"params":{"protocolVersion":5,"capabilities":[],"clientInfo":"\u001b"}`,
	`"params":{"name":"list_dir","arguments":{"path":"\u001b"}}`,
	`"params":{"name":"list_dir","arguments":{"path":"<long>"}}`,
	`"params":{"name":"search_text","arguments":{"pattern":"\u001b","<long>":1}}`,
	`"params":{"name":"list_directory","arguments":{"path":"\u001b"}}`,
	`"params":{"name":"read_text_file","arguments":{"path":"<long>"}}`,
	`"params":{"name":"search_files","arguments":{"path":".","pattern":"<long>"}}`,
	`"params":{"name":"none","arguments":{"<long>":"\u001b"}}`,
	`"params":{"_meta":"\u001b"}`,
	`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5}}`,
	`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28<long>",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}`,
	`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":"\u001b"}}`,
	`"params":{` + modern + `}`,
	`"params":{"notifications":{"toolsListChanged":true},` + modern + `}`,
	`"params":{"name":"\u001b<long>","uri":"file:///a\u001bb",` + modern + `}`,
	`"params":{"name":"list_dir","arguments":{"path":"."},` + modern + `}`,
	`"result":{}`,
	`"error":{"code":1e400,"message":5}`,
}

// A Message is one of all combinations of methods, ids and parameters.
type Message struct {
	ID   ID
	text string
	huge bool // Its long strings are as long as possible.
}

// Generate returns the messages with a method, in a random order.
func Generate(r *rand.Rand, method string) (all []Message) {
	for _, id := range ids {
		for _, p := range params {
			parts := []string{`"jsonrpc":"2.0"`, id.text, `"method":"` + method + `"`, p}
			if r.IntN(2) == 0 {
				slices.Reverse(parts)
			}
			parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
			text := "{" + strings.Join(parts, ",") + "}"
			all = append(all, Message{id.kind, text, r.IntN(16) == 0})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// Text returns a message of at most size bytes, whose id contains n.
func (m Message) Text(n, size int) string {
	text := strings.ReplaceAll(m.text, counter, fmt.Sprint(n))
	places := strings.Count(text, long)
	if places == 0 {
		return text
	}
	length := 20_000
	if m.huge {
		length = (size - len(text)) / places
	}
	return strings.ReplaceAll(text, long, strings.Repeat(Filler, length))
}

// Methods returns the methods of all revisions of the protocol, and some of none.
func Methods() []string {
	names := []string{
		"", "no/such", "rpc.discover", "Tools/Call", `tools/call\u0000`, `\u001b`, `\ud800`, long,
		"notifications/none", "notifications/" + long,
	}
	for l := range strings.Lines(methods) {
		if name, _, _ := strings.Cut(l, " "); name != "#" {
			names = append(names, name)
		}
	}
	return names
}
