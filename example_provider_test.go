package gander_test

import (
	"context"
	"fmt"
	"log"

	"gander"
	"gander/tool"
)

// The definitions for a request to a model: here with every property required, as OpenAI's strict form has it.
func ExampleToolset_Tools() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}, Tools: []string{"codex/list_dir"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	tools, err := ts.Tools(gander.OpenAIResponses)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.100s...\n", tools)
	// Output:
	// [{"type":"function","name":"list_dir","description":"Lists a local directory and what is below it, o...
}

// One turn of an agent: the model's response asks for two calls, and what comes back goes to the end of the conversation.
func ExampleToolset_Answer() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	response := []byte(`{"role": "assistant", "content": [
		{"type": "tool_use", "id": "toolu_1", "name": "tree", "input": {"path": "docs"}},
		{"type": "tool_use", "id": "toolu_2", "name": "tree", "input": {"path": "attic"}}
	], "stop_reason": "tool_use"}`)
	messages, err := ts.Answer(context.Background(), gander.Anthropic, response)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(messages))
	fmt.Printf("%s\n", messages[1])
	// Output:
	// 2
	// {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"{\"root\":{\"kind\":\"directory\",\"name\":\"docs\",\"path\":\"docs\",\"depth\":0},\"limit_reached\":false,\"scanned_entries\":1,\"total_dirs\":1,\"total_files\":0,\"total_symlinks\":0}"},{"type":"tool_result","tool_use_id":"toolu_2","content":"NOT_FOUND: path does not exist; list its parent to see what does","is_error":true}]}
}

// Call by call, for programs that assemble a streamed response, have other tools too, or give each call a budget.
func ExampleToolset_ReadCalls() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	response := []byte(`{"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
		"function": {"name": "tree", "arguments": "{\"path\":\".\",\"entry_kind\":\"all\",\"max_depth\":null,\"max_entries\":null,\"include_hidden\":null,\"exclude\":null}"}}]}}]}`)
	calls, err := ts.ReadCalls(gander.OpenAIChat, response)
	if err != nil {
		log.Fatal(err)
	}
	room := 230
	for _, c := range calls {
		fmt.Printf("%s %s\n", c.Name, c.Call.Args)
		c.Call.Budget = tool.Budget{AvailableBytes: &room}
		fmt.Printf("%s\n", c.Reply(ts.Call(context.Background(), c.Name, c.Call)))
	}
	// Output:
	// tree {"path":".","entry_kind":"all"}
	// {"role":"tool","tool_call_id":"call_1","content":"{\"root\":{\"kind\":\"directory\",\"name\":\".\",\"path\":\".\",\"depth\":0,\"children\":[{\"kind\":\"directory\",\"name\":\"cache\",\"path\":\"cache\",\"depth\":1}]},\"limit_reached\":true,\"scanned_entries\":2,\"total_dirs\":2,\"total_files\":0,\"total_symlinks\":0}"}
}

// One item of a response, as a stream or an SDK hands it over.
func ExampleToolset_ReadCall() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	part := []byte(`{"functionCall": {"name": "gemini_list_directory", "args": {"path": "docs"}}}`)
	c, err := ts.ReadCall(gander.Gemini, part)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", c.Reply(ts.Call(context.Background(), c.Name, c.Call)))
	// Output:
	// {"functionResponse":{"name":"gemini_list_directory","response":{"error":"Path must be absolute: docs"}}}
}

// Names, descriptions and schemas as published, for interfaces that gander does not know.
func ExampleToolset_Definitions() {
	ts, err := gander.Open(gander.Options{Roots: []string{"testdata/sample"}})
	if err != nil {
		log.Fatal(err)
	}
	defer ts.Close()
	for _, d := range ts.Definitions() {
		fmt.Printf("%s (%s): %.33s...\n", d.Name, d.ID, d.Input)
	}
	// Output:
	// list_dir (gander/list_dir): {"type":"object","properties":{"p...
	// read_file (gander/read_file): {"type":"object","properties":{"p...
	// find_files (gander/find_files): {"type":"object","properties":{"p...
	// search_text (gander/search_text): {"type":"object","properties":{"p...
}
