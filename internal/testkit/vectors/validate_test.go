//go:build unix

package vectors

import (
	"fmt"
	"strings"
	"testing"
)

const (
	file    = `{"name":"b","path":"a/b","depth":2,"type":"file","size_bytes":3,"modified_epoch_ms":-1,"is_hidden":false,"error_code":null,"error":null}`
	hidden  = `{"name":".h<\u0001>","path":".h<\u0001>","depth":1,"type":"dir","size_bytes":null,"modified_epoch_ms":null,"is_hidden":true,"error_code":null,"error":null}`
	unknown = `{"name":"\\u2028` + "\u2028\ufffd" + `","path":"\\u2028` + "\u2028\ufffd" + `","depth":1,"type":"unknown","size_bytes":null,"modified_epoch_ms":null,"is_hidden":false,"error_code":"io_error","error":"I/O error"}`
)

// forge returns a listing of the entries.
func forge(returned, most int, truncated bool, reason string, entries ...string) string {
	return fmt.Sprintf(`{"path":".","entries":[%s],"returned":%d,"max_entries":%d,"truncated":%v,"truncated_reason":%s}`,
		strings.Join(entries, ","), returned, most, truncated, reason)
}

func TestValidateForgeAccepts(t *testing.T) {
	for _, content := range []string{
		forge(0, 1, false, "null"),
		forge(0, 1, true, `"max_output_bytes"`),
		forge(3, 3, true, `"max_entries"`, hidden, unknown, file),
		forge(2, 3, true, `"max_output_bytes"`, unknown, unknown),
	} {
		if err := ValidateForge(content); err != nil {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func TestValidateForgeRefuses(t *testing.T) {
	one := func(old, new string) string {
		if !strings.Contains(file, old) {
			t.Fatalf("%q is not in the entry", old)
		}
		return forge(1, 9, false, "null", strings.Replace(file, old, new, 1))
	}
	tests := []struct{ content, message string }{
		{"", "EOF"},
		{forge(0, 1, false, "null") + "\n", "OUT-02a"},
		{forge(0, 1, false, "null") + "{}", "follows"},
		{`{"path":".","returned":0,"entries":[],"max_entries":1,"truncated":false,"truncated_reason":null}`, "OUT-02a"},
		{`{"path":".","entries":[],"returned":0,"max_entries":1,"truncated":false}`, "OUT-02a"},
		{`{"path":".","entries":[],"returned":0,"max_entries":1,"truncated":false,"truncated_reason":null,"more":1}`, "more"},
		{`{"path":".","entries":null,"returned":0,"max_entries":1,"truncated":false,"truncated_reason":null}`, "array"},
		{`{"path":"\u002e","entries":[],"returned":0,"max_entries":1,"truncated":false,"truncated_reason":null}`, "OUT-02a"},
		{forge(1, 1, false, "null"), "returned is 1"},
		{forge(1, 0, false, "null", file), "LST-07"},
		{forge(1, 2, true, `"max_entries"`, file), "LST-07"},
		{forge(1, 2, true, "null", file), "OUT-02b"},
		{forge(1, 1, false, `"max_entries"`, file), "OUT-02b"},
		{forge(1, 2, true, `"timeout"`, file), "OUT-02b"},
		{forge(2, 2, false, "null", file, hidden), "OUT-01"},
		{one(`"path":"a/b"`, `"path":"/a/b"`), "relative"},
		{one(`"path":"a/b"`, `"path":"a/c"`), "last component"},
		{one(`"name":"b","path":"a/b"`, `"name":"..","path":"a/.."`), "LST-03"},
		{one(`"depth":2`, `"depth":1`), "depth"},
		{one(`"type":"file"`, `"type":"fifo"`), "type"},
		{one(`"type":"file"`, `"type":"dir"`), "size_bytes"},
		{one(`"size_bytes":3`, `"size_bytes":null`), "size_bytes"},
		{one(`"size_bytes":3`, `"size_bytes":-3`), "size_bytes"},
		{one(`"modified_epoch_ms":-1`, `"modified_epoch_ms":-1.5`), "FR-LD-OUT"},
		{one(`"is_hidden":false`, `"is_hidden":true`), "is_hidden"},
		{one(`"error":null`, `"error":"x"`), "error_code and error"},
		{one(`"error_code":null`, `"error_code":"unknown"`), "error_code and error"},
		{forge(1, 1, false, "null", strings.Replace(unknown, "io_error", "EIO", 1)), "EIO"},
	}
	for _, tt := range tests {
		if err := ValidateForge(tt.content); err == nil {
			t.Errorf("%s was accepted", tt.content)
		} else if !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: the message is %q, want %q in it", tt.content, err, tt.message)
		}
	}
}
