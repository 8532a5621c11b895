package ipynb

import (
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestIPYNB(t *testing.T) {
	run := officefiles.Runner(t, Format, "a.ipynb")
	run("values in any order", []byte(`{"cells": [
				{"outputs": [], "source": ["1\n", "2"], "execution_count": 7, "cell_type": "code"},
				{"cell_type": "raw", "source": null}]}`),
		"# cell 1: code [7]\n1\n2\n\n# cell 2: raw\n")
	run("outputs of all types", []byte(`{"cells": [{"cell_type": "code", "outputs": [
				{"data": {"image/png": "AAAA\nAA==", "text/plain": ["x", "\n y"]}, "output_type": "display_data"},
				{"output_type": "stream", "text": "a\u001b[1;31mb\u001b]8;;ü\u0007c\ud83d\ude00\ud83d"},
				{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}]}]}`),
		"# cell 1: code\n\n# output\nx\n y\n[image/png, 4 bytes]\n\n# output\nabc😀\ufffd\n\n"+
			"# output: error\nE: v\n")
	run("data of types that are not binary",
		[]byte(`{"cells": [{"cell_type": "code", "outputs": [{"data": {
				"application/javascript": "12345678", "image/svg+xml": "12345678", "application/pdf": "AAAAAAA=",
				"audio/wav": "AAAAAAAA"}}]}]}`),
		"# cell 1: code\n\n# output\n[application/javascript, 8 bytes]\n[application/pdf, 5 bytes]\n"+
			"[audio/wav, 6 bytes]\n[image/svg+xml, 8 bytes]\n")
	run("line ends of Windows", []byte(`{"cells": [{"cell_type": "code", "source": "a\r\nb\r\n",
				"outputs": [{"output_type": "stream", "text": ["c\r\n", "d\r\n"]}]}]}`),
		"# cell 1: code\na\nb\n\n# output\nc\nd\n")
	run("half a character before a whole one",
		[]byte(`{"cells": [{"cell_type": "raw", "source": "\ud83d\ud83d\ude00 \ud83d\u0041"}]}`),
		"# cell 1: raw\n\ufffd😀 \ufffdA\n")
	run("outputs that are null",
		[]byte(`{"cells":[{"cell_type":"code","outputs":null,"source":"a"},{"cell_type":"raw","source":"b"}]}`),
		"# cell 1: code\na\n\n# cell 2: raw\nb\n")
	run("data that is null",
		[]byte(`{"cells":[{"cell_type":"code","outputs":[{"output_type":"display_data","data":null}],`+
			`"source":"a"},{"cell_type":"raw","source":"b"}]}`),
		"# cell 1: code\na\n\n# output\n\n# cell 2: raw\nb\n")
	run("version 3",
		[]byte(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":["T"]},`+
			`{"cell_type":"code","input":["print 1"],"prompt_number":4,"outputs":[{"output_type":"stream","stream":"stderr",`+
			`"text":"w"},{"output_type":"pyout","prompt_number":4,"text":["1"],"png":"AAAA"}]}]}]}`),
		"# cell 1: heading\n## T\n\n# cell 2: code [4]\nprint 1\n\n# output: stderr\nw\n\n# output\n1\n[image/png, 3 bytes]\n")
	run("an output in HTML",
		[]byte(`{"cells":[{"cell_type":"code","outputs":[{"data":{"text/plain":"<Styler at 0x7f>",`+
			`"text/html":["<style>x</style><table><tr><th>k</th></tr>","<tr><td>v1</td></tr></table>"]}}]}]}`),
		"# cell 1: code\n\n# output\n<Styler at 0x7f>\n\nk\nv1\n")
	run("a table in HTML that does not end, and a cell without a table",
		[]byte(`{"cells":[{"cell_type":"code","outputs":[{"data":{"text/html":"<table><tr><td>a"}},`+
			`{"data":{"text/html":"<td>b</td>"}}]}]}`),
		"# cell 1: code\n\n# output\n\na\n\n# output\nb\n")
	run("marks of a conflict",
		[]byte("{\"cells\":[{\"source\":[\n<<<<<<< HEAD\n\"x\"\n=======\n\"y\"\n>>>>>>> b\n]}]}"),
		"error: no document\n")
}
