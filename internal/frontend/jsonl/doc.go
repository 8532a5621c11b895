// Package jsonl knows the protocol that gander speaks with a parent process: one JSON object a line, requests in, replies
// out. It knows no tool and opens nothing; calls go to a [Caller].
//
// A request calls a tool, by its id or by a name that only one tool has:
//
//	{"id":1,"tool":"codex/list_dir","args":{"dir_path":"/src"},"max_output_bytes":8000,"available_capacity_bytes":9000}
//
// The id is any JSON string or number; the parent chooses it, and no two calls under way may share one. Ids are compared
// and echoed byte for byte: 1 and 1.0 are two ids. Without args the tool gets {}. The last two keys limit the UTF-8
// bytes of the content, and the smaller of them holds; they may be left out. Other keys are refused.
//
// Every request gets one reply, when it is ready: replies come in any order. A field that has nothing to say is left out.
//
//	{"id":1,"ok":true,"content":"Absolute path: /src\n..."}
//	{"id":1,"ok":false,"error":{"kind":"not_found","code":"NOT_FOUND","message":"...","display":"..."}}
//
// The content is what the model reads; a display is a short text for a person, where that differs. The kinds are those of
// [tool.Kind], and a code is what the tool's specification publishes.
//
// A request may cancel another:
//
//	{"id":2,"cancel":1}
//
// Its reply is {"id":2,"ok":true} when the call was under way, and otherwise an error of kind not_found. The call itself is
// then answered with kind cancelled, or with its result if it had just ended. The two replies come in any order.
//
// A line may have 16 MiB without its end; empty lines are skipped. A line that is too long, is not strict JSON (see
// package object) or is no request gets an error of kind bad_arguments, with its id where one can be read and null where
// not, and the next line is read. When the input ends, everything accepted is still answered.
//
// What is held is bounded. At most 64 calls run at once, or as many as [Options] say; others wait, and their time limits
// do not run meanwhile. When 32 MiB of requests are unanswered, reading pauses: until then a cancellation is seen at once,
// whatever waits. A parent that does not read its replies pauses its own calls and nothing else.
package jsonl
