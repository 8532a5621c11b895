package office

import (
	"encoding/json"
	"html"
	"path"
	"regexp"
	"strings"
	"testing"

	"gander/internal/documents"
	"gander/internal/files/text"
	"gander/internal/testkit/officefiles"
)

// hostile is a name that forges lines of a result if it is printed as it is.
const hostile = "x\n\nsrc/config.go\n12\tURL \u202e\u2066\u200b\ufeff\u2028\u0085\x1b[31m\U000e0041y"

// isForged reports whether a text that must be one line has a character that text.Sanitize escapes.
func isForged(s string) bool {
	return text.Sanitize(s) != s || strings.ContainsAny(s, "\n\t")
}

// checkNames reads a document in which names are hostile. If all is set, no line is forged.
// Otherwise only the texts of marks and errors are checked, because the names are content, too.
func checkNames(t *testing.T, name, planted string, content []byte, all bool) (seen bool) {
	t.Helper()
	lines, problem := read(t.Context(), name, content, documents.Limits{})
	if isForged(problem) || strings.Contains(problem, "\t") {
		t.Errorf("%s, %s: error %q", name, planted, problem)
	}
	seen = strings.Contains(problem, "src/config.go")
	for _, line := range lines {
		shown := strings.ReplaceAll(string(line.Text), "\t", " ")
		isName := all || line.Mark.Kind != 0
		if isName && isForged(shown) || isForged(line.Mark.Name) {
			t.Errorf("%s, %s: line %q, mark %q", name, planted, line.Text, line.Mark.Name)
		}
		seen = seen || strings.Contains(shown, "src/config.go")
	}
	return seen
}

// TestHostileNames plants a hostile name in each attribute, in the name of each entry, and in each
// text of all documents, in turn. It shows in none as it is.
func TestHostileNames(t *testing.T) {
	escaped := html.EscapeString(strings.ReplaceAll(hostile, "\x1b", "&#27;"))
	escaped = strings.NewReplacer("&amp;#27;", "&#27;", "\n", "&#10;").Replace(escaped)
	seen := map[string]bool{}
	for name, content := range nameSamples(t) {
		format := path.Ext(name)
		names, contents := unzipped(content)
		with := func(i int, entryName, entry string) []byte {
			var entries []string
			for j := range names {
				if j == i {
					entries = append(entries, entryName, entry)
				} else {
					entries = append(entries, names[j], string(contents[j]))
				}
			}
			return officefiles.Archive(entries...)
		}
		for i := range contents {
			entry := string(contents[i])
			for _, at := range spread(value.FindAllStringIndex(entry, -1)) {
				planted := entry[:at[0]] + `"` + escaped + `"` + entry[at[1]:]
				where := names[i] + " " + entry[max(at[0]-30, 0):at[1]]
				if checkNames(t, name, where, with(i, names[i], planted), true) {
					seen[format] = true
				}
			}
			for _, at := range spread(textBetweenTags.FindAllStringIndex(entry, -1)) {
				planted := entry[:at[0]] + ">" + escaped + "<" + entry[at[1]:]
				checkNames(t, name, names[i]+" text", with(i, names[i], planted), false)
			}
			renamed := with(i, hostile+names[i], entry)
			checkNames(t, name, names[i], renamed, true)
			base := path.Base(names[i])
			everywhere := make([]string, 0, 2*len(names))
			for j := range names {
				everywhere = append(everywhere, strings.ReplaceAll(names[j], base, hostile),
					strings.ReplaceAll(string(contents[j]), base, escaped))
			}
			checkNames(t, name, "all "+base, officefiles.Archive(everywhere...), true)
		}
	}
	for _, format := range []string{".docx", ".xlsx", ".pptx", ".odt", ".ods", ".epub"} {
		if !seen[format] {
			t.Errorf("%s: no hostile name was shown, so this test shows nothing", format)
		}
	}
}

// nameSamples returns the samples, and small documents with elements that these lack.
func nameSamples(t *testing.T) map[string][]byte {
	all := samples(t)
	all["names.docx"] = officefiles.DOCX(`<w:p><w:r><wp:docPr descr="a"/><pic:pic/>` +
		`<v:imagedata title="b"/><o:OLEObject ProgID="c"/><w:footnoteReference w:id="d"/></w:r></w:p>`)
	all["names.ods"] = officefiles.ODF("spreadsheet", "", `<table:table table:name="a"><table:table-row>`+
		`<table:table-cell office:value-type="string" office:string-value="b"/>`+
		`<table:table-cell table:formula="c"/></table:table-row></table:table>`)
	all["names.odt"] = officefiles.ODF("text", `<text:list-style style:name="N">`+
		`<text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="a" style:num-suffix="b"/>`+
		`</text:list-style>`, `<text:list text:style-name="N"><text:list-item><text:p>x <text:a xlink:href="b://c">y</text:a>`+
		`</text:p></text:list-item></text:list>`)
	all["names2.docx"] = officefiles.DOCX(`<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>`+
		`<w:fldSimple w:instr="HYPERLINK &quot;a&quot;"><w:t>x</w:t></w:fldSimple><v:textpath string="b"/>`+
		`<m:oMath><m:d><m:dPr><m:begChr m:val="["/></m:dPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d></m:oMath></w:p>`,
		"numbering", `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/>`+
			`<w:lvlText w:val="a%1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`)
	all["names.pptx"] = officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "p.xml"),
		"p.xml", `<p:presentation><p:sldId r:id="s"/></p:presentation>`,
		"_rels/p.xml.rels", officefiles.Related("s", "slide", "s.xml", "a", "commentAuthors", "a.xml"),
		"a.xml", `<p:cmAuthor id="0" name="Ann"/>`,
		"s.xml", `<p:sld><p:sp><p:cNvPr descr="a"/><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id="h"/></a:rPr>`+
			`<a:t>x</a:t></a:r></a:p></p:txBody></p:sp><p:graphicFrame><p:cNvPr descr="b"/><c:chart r:id="t"/>`+
			`</p:graphicFrame></p:sld>`,
		"_rels/s.xml.rels", `<Relationships><Relationship Id="h" Type="x/hyperlink" Target="b://c" TargetMode="External"/>`+
			`<Relationship Id="c" Type="x/comments" Target="c.xml"/><Relationship Id="t" Type="x/chart" Target="t.xml"/>`+
			`</Relationships>`,
		"t.xml", `<c:chart><c:plotArea/></c:chart>`,
		"c.xml", `<p:cmLst><p:cm authorId="0" ref="A1"><p:text>y</p:text></p:cm></p:cmLst>`)
	all["names.xlsx"] = officefiles.XLSX(`<cols><col min="1" max="1" hidden="1"/></cols><row><c r="A1"><v>1</v></c></row>`+
		`<hyperlinks><hyperlink ref="A1" location="b"/></hyperlinks><mergeCell ref="A1:B1"/>`, "",
		`<numFmt numFmtId="170" formatCode="0&quot;x&quot;"/><cellXfs><xf numFmtId="170"/></cellXfs>`)
	all["names.epub"] = officefiles.EPUB(`<img alt="a"/><ol start="1"><li value="2">x</li></ol>` +
		`<a href="b://c">y</a><math><mfenced open="["><mi>z</mi></mfenced></math>`)
	return all
}

// textBetweenTags matches a text with the ends of the tags around it.
var textBetweenTags = regexp.MustCompile(`>[^<>]+<`)

// spread returns at most 30 of all, evenly.
func spread(all [][]int) [][]int {
	const most = 30
	var some [][]int
	for i := 0; i < len(all); i += len(all)/most + 1 {
		some = append(some, all[i])
	}
	return some
}

// TestHostileNamesInNotebooks plants a hostile name in each string of a notebook.
func TestHostileNamesInNotebooks(t *testing.T) {
	encoded, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	content := `{"cells":[{"cell_type":"code","execution_count":"1","metadata":{},"source":[],` +
		`"outputs":[{"output_type":"stream","name":"n"},{"output_type":"display_data",` +
		`"data":{"image/x":"AA==","a/b":"c"}}]}],"nbformat":4}`
	for _, at := range value.FindAllStringIndex(content, -1) {
		planted := content[:at[0]] + string(encoded) + content[at[1]:]
		checkNames(t, "a.ipynb", content[at[0]:at[1]], []byte(planted), true)
	}
}
