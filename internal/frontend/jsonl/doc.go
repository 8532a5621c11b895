// Package jsonl implements the protocol that gander speaks with a parent process: one JSON object a line, requests in,
// replies out. It knows no tools and opens no files; it passes calls to a [Caller].
//
// A request calls a tool, by its id or by a name that only one tool has:
//
//	{"id":1,"tool":"codex/list_dir","args":{"dir_path":"/src"},"max_output_bytes":8000,"available_capacity_bytes":9000}
//
// The id is any JSON string or number. The parent chooses it, and no two calls under way may share one. Ids are compared
// and repeated byte for byte: 1 and 1.0 are two ids. Without args the tool gets {}. The last two keys are optional. They
// limit the UTF-8 bytes of the content, and the smaller one holds. Other keys are refused.
//
// Every request gets one reply as soon as it is ready, so replies come in any order. Fields that do not apply are left out.
//
//	{"id":1,"ok":true,"content":"Absolute path: /src\n..."}
//	{"id":1,"ok":false,"error":{"kind":"not_found","code":"NOT_FOUND","message":"...","display":"..."}}
//
// The content is what the model reads; in place of an image, audio or other data it has a line that says what is missing. A
// display is a short text for a person, if that differs. The kinds are those of [tool.Kind], and a code is one that the
// tool's specification publishes.
//
// A request may cancel another:
//
//	{"id":2,"cancel":1}
//
// Its reply is {"id":2,"ok":true} if that call was under way, and otherwise an error of kind not_found. The call is answered
// too, with an error of kind cancelled, or with its result if it had just ended. The two replies come in any order.
//
// A request may ask for the definitions of the tools, for a request to a model:
//
//	{"id":3,"definitions":true}
//	{"id":3,"ok":true,"definitions":[{"name":"list_dir"}]}
//
// A line may have 16 MiB without its line feed. Empty lines are skipped. A line that is too long, is not strict JSON (see
// package jsonobject) or is not a request is answered with an error of kind bad_arguments, under its id if that can be read
// and null otherwise; the session goes on. When the input ends, every accepted request is still answered.
//
// Memory is bounded. A limited number of calls run at once (see [Options]); others wait, and their time limits have not
// begun. While 32 MiB of requests are unanswered, no more are read; until then a cancellation is read at once, whatever
// waits. A parent that does not read its replies delays only its own calls.
package jsonl
