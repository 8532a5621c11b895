package office

import "testing"

func TestXLSX(t *testing.T) {
	for _, tt := range []formTest{
		{
			name: "a duration in a built-in format",
			content: xlsxOf(`<row r="1"><c s="1"><v>1.5</v></c><c s="2"><v>1.5</v></c></row>`, "",
				`<cellXfs><xf/><xf numFmtId="46"/><xf numFmtId="45"/></cellXfs>`),
			want: "# sheet S\nA1\t1.5\t12:00:00\n",
		},
		{
			name: "escapes in texts",
			content: xlsxOf(`<row r="1"><c t="s"><v>0</v></c><c t="str"><v>a_x000D_b</v></c>`+
				`<c t="inlineStr"><is><t>a_x0041_</t></is></c></row>`,
				"<si><t>a_x00</t><t>0d__x005F_x000D__x00</t></si>", ""),
			want: "# sheet S\nA1\ta _x000D__x00\ta b\taA\n",
		},
	} {
		tt.run(t, "a.xlsx")
	}
}
