package office

import "testing"

func TestIPYNB(t *testing.T) {
	for _, tt := range []formTest{
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
