package office

import "testing"

func TestIPYNB(t *testing.T) {
	for _, tt := range []formTest{
		{
			name: "values in any order",
			content: []byte(`{"cells": [
				{"outputs": [], "source": ["1\n", "2"], "execution_count": 7, "cell_type": "code"},
				{"cell_type": "raw", "source": null}]}`),
			want: "# cell 1: code [7]\n1\n2\n\n# cell 2: raw\n",
		},
		{
			name: "outputs of all types",
			content: []byte(`{"cells": [{"cell_type": "code", "outputs": [
				{"data": {"image/png": "AAAA\nAA==", "text/plain": ["x", "\n y"]}, "output_type": "display_data"},
				{"output_type": "stream", "text": "a\u001b[1;31mb\u001b]8;;ü\u0007c\ud83d\ude00\ud83d"},
				{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}]}]}`),
			want: "# cell 1: code\n\n# output\nx\n y\n[image/png, 4 bytes]\n\n# output\nabc😀\ufffd\n\n" +
				"# output: error\nE: v\n",
		},
		{
			name: "data of types that are not binary",
			content: []byte(`{"cells": [{"cell_type": "code", "outputs": [{"data": {
				"application/javascript": "12345678", "image/svg+xml": "12345678", "application/pdf": "AAAAAAA=",
				"audio/wav": "AAAAAAAA"}}]}]}`),
			want: "# cell 1: code\n\n# output\n[application/javascript, 8 bytes]\n[image/svg+xml, 8 bytes]\n" +
				"[application/pdf, 5 bytes]\n[audio/wav, 6 bytes]\n",
		},
		{
			name: "line ends of Windows",
			content: []byte(`{"cells": [{"cell_type": "code", "source": "a\r\nb\r\n",
				"outputs": [{"output_type": "stream", "text": ["c\r\n", "d\r\n"]}]}]}`),
			want: "# cell 1: code\na\nb\n\n# output\nc\nd\n",
		},
		{
			name:    "half a character before a whole one",
			content: []byte(`{"cells": [{"cell_type": "raw", "source": "\ud83d\ud83d\ude00 \ud83d\u0041"}]}`),
			want:    "# cell 1: raw\n\ufffd😀 \ufffdA\n",
		},
		{
			name:    "outputs that are null",
			content: []byte(`{"cells":[{"cell_type":"code","outputs":null,"source":"a"},{"cell_type":"raw","source":"b"}]}`),
			want:    "# cell 1: code\na\n\n# cell 2: raw\nb\n",
		},
		{
			name: "data that is null",
			content: []byte(`{"cells":[{"cell_type":"code","outputs":[{"output_type":"display_data","data":null}],` +
				`"source":"a"},{"cell_type":"raw","source":"b"}]}`),
			want: "# cell 1: code\na\n\n# output\n\n# cell 2: raw\nb\n",
		},
	} {
		tt.run(t, "a.ipynb")
	}
}
