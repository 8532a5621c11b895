package office

import "testing"

func TestEPUB(t *testing.T) {
	const mark = "# part 1: a b.xhtml\n"
	for _, tt := range []formTest{
		{
			name:    "attributes without values, and values without quotes",
			content: epubOf("<ol reversed start='5'><li>x</li></ol><img hidden alt='map'/><img class=x alt=q /><img alt=z/>"),
			want:    mark + "5. x\n\n[image: map][image: q][image: z]\n",
		},
		{
			name: "a script with less-than signs",
			content: epubOf("<p>a</p><script>if (a < b) {} for (i=0; i<n; i++) {}</script><p>b</p>" +
				"<script><![CDATA[ '</p>' ]]></script><p>c</p>"),
			want: mark + "\na\n\nb\n\nc\n",
		},
		{
			name:    "text with less-than signs",
			content: epubOf("<p>1 < 2 <b>&lt;</b> 3, <4 <</p>"),
			want:    mark + "\n1 < 2 < 3, <4 <\n",
		},
	} {
		tt.run(t, "a.epub")
	}
}
