package formula

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// read returns the text of the formulas in XML.
func read(t testing.TB, content string) string {
	t.Helper()
	var texts []string
	var r Reader
	out := new(documents.Writer)
	err := markup.Scan("", strings.NewReader(content), false, out, func(s *markup.Scanner) {
		r.Read(s, func(text []byte) { texts = append(texts, string(text)) })
	})
	if err != nil {
		t.Log(err)
	}
	return strings.Join(texts, "\n")
}

// omml returns a formula in OMML from a short form: f(a,b) is an element with operands.
func run(s string) string { return "<m:r><m:t>" + s + "</m:t></m:r>" }

func TestOMML(t *testing.T) {
	e := func(name string, operands ...string) string {
		names := map[string]string{
			"f": "num den", "sSup": "e sup", "sSub": "e sub", "sSubSup": "e sub sup", "rad": "deg e",
			"nary": "sub sup e", "d": "e e e", "func": "fName e", "limLow": "e lim", "acc": "e", "bar": "e",
			"mr": "e e e", "eqArr": "e e e",
		}
		parts := strings.Fields(names[name])
		var b strings.Builder
		b.WriteString("<m:" + name + ">")
		n := 0
		for _, operand := range operands {
			if strings.HasPrefix(operand, "<m:"+name+"Pr>") {
				b.WriteString(operand)
				continue
			}
			fmt.Fprintf(&b, "<m:%s>%s</m:%[1]s>", parts[n], operand)
			n++
		}
		return b.String() + "</m:" + name + ">"
	}
	sum := `<m:naryPr><m:chr m:val="∑"/></m:naryPr>`
	for _, tt := range []struct{ formula, want string }{
		{e("f", run("a"), run("b")) + run("=") + e("sSup", run("x"), run("2")), "a/b = x^2"},
		{e("f", run("a+b"), run("c")), "(a+b)/c"},
		{e("f", run("1"), run("bc")), "1/(bc)"},
		{e("f", run("1"), run("2")) + run("x"), "(1/2) x"},
		{run("2") + e("f", run("1"), run("2")), "2 (1/2)"},
		{e("f", e("f", run("a"), run("b")), run("c")), "(a/b)/c"},
		{e("nary", run("0"), run("1"), e("sSup", run("x"), run("2"))+run("dx")) + run("=") + e("f", run("1"), run("3")), "∫_0^1 x^2 dx = 1/3"},
		{e("nary", sum, run("i=1"), run("n"), run("a+b")), "∑_(i = 1)^n (a+b)"},
		{e("sSup", run("a+b"), run("n+1")), "(a+b)^(n+1)"},
		{e("sSup", e("sSup", run("x"), run("2")), run("3")), "(x^2)^3"},
		{e("sSup", run("ab"), run("2")), "(ab)^2"},
		{e("sSup", run("10"), run("−6")), "10^−6"},
		{e("sSubSup", run("x"), run("i"), run("2")), "x_i^2"},
		{e("rad", `<m:radPr><m:degHide m:val="1"/></m:radPr>`, "", run("x+1")), "√(x+1)"},
		{e("rad", run("3"), run("x")), "√[3](x)"},
		{e("d", run("a"), run("b")), "(a|b)"},
		{e("d", `<m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>`, run("a")), "[a"},
		{e("func", run("sin"), run("x")), "sin x"},
		{e("func", e("limLow", run("lim"), run("x→0")), e("f", run("sin x"), run("x"))), "lim_(x → 0) (sin x)/x"},
		{e("acc", run("x")), "x\u0302"},
		{"<m:m>" + e("mr", run("a"), run("b")) + e("mr", run("c"), run("")) + "</m:m>", "[a, b; c,]"},
		{run("1") + run("0") + run("x"), "10x"},
	} {
		got := read(t, "<m:oMath>"+tt.formula+"</m:oMath>")
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.formula, got, tt.want)
		}
	}
}

func TestMathML(t *testing.T) {
	for _, tt := range []struct{ formula, want string }{
		{"<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"},
		{"<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><msup><mi>x</mi><mn>2</mn></msup><mi>d</mi><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>3</mn></mfrac>", "∫_0^1 x^2 dx = 1/3"},
		{"<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", "√(x+1)"},
		{"<mroot><mi>x</mi><mn>3</mn></mroot>", "√[3](x)"},
		{"<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "sin x"},
		{"<mover><mi>x</mi><mo>¯</mo></mover>", "x\u0305"},
		{"<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi>", "lim_(x → 0) f"},
		{"<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"},
		{"<semantics><mi>x</mi><annotation>x</annotation></semantics>", "x"},
		{"<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>", "[1, 2]"},
		{"<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", "binom(n, k)"},
		{"<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a+b)^2"},
	} {
		got := read(t, "<math>"+tt.formula+"</math>")
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.formula, got, tt.want)
		}
	}
}

// FuzzReader reads any elements. The result is one line of bounded length.
func FuzzReader(f *testing.F) {
	f.Add("<math><mfrac><mi>a</mi></mfrac><msup/><mfenced separators=''><mi>x</mi></mfenced></math>")
	f.Add("<m:oMath><m:nary><m:naryPr><m:chr/></m:naryPr><m:sub/></m:nary><m:f/><m:rad/></m:oMath>")
	f.Fuzz(func(t *testing.T, content string) {
		got := read(t, content)
		if utf8.ValidString(content) && !utf8.ValidString(got) {
			t.Errorf("got %q", got)
		}
		if len(got) > 64*len(content)+64 {
			t.Errorf("%d bytes of %d", len(got), len(content))
		}
	})
}
