package pdf

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gander/internal/documents"
)

var update = flag.Bool("update", false, "record the text of the files in testdata")

// shared is a format for all tests that need no other, because each compiles PDFium.
var shared = sync.OnceValue(New)

// open returns the document in a PDF file.
func open(ctx context.Context, t testing.TB, f *Format, content []byte) *documents.Document {
	t.Helper()
	d, err := documents.Open(ctx, []documents.Format{f}, "x.pdf", bytes.NewReader(content))
	if d == nil || err != nil {
		t.Fatalf("Open returned %v, %v", d, err)
	}
	return d
}

// read returns the lines of a PDF file, and its error as the last line.
func read(ctx context.Context, t testing.TB, f *Format, content []byte) string {
	t.Helper()
	d := open(ctx, t, f, content)
	var b strings.Builder
	for line, err := range d.Lines(ctx, documents.Limits{}) {
		if err != nil {
			fmt.Fprintf(&b, "x.pdf %v\n", err)
			break
		}
		fmt.Fprintf(&b, "%s\n", line.Text)
	}
	return b.String()
}

// readFrom returns the lines of a PDF file from the mark of page n on, as a text that starts to read at
// that page. Another text finds the page first.
func readFrom(ctx context.Context, t testing.TB, f *Format, content []byte, n int) string {
	t.Helper()
	outline := new(documents.Outline)
	first := open(ctx, t, f, content).Text(ctx, documents.Limits{}, outline)
	defer first.Close()
	place, found, err := first.Find(func(m documents.Mark) bool { return m.Number == n })
	if err != nil || !found {
		return fmt.Sprintf("page %d: found %v, %v", n, found, err)
	}
	_, offset := outline.Near(place.Line)
	second := open(ctx, t, f, content).Text(ctx, documents.Limits{}, outline)
	defer second.Close()
	b, err := io.ReadAll(second.Reader(offset))
	if err != nil {
		return fmt.Sprintf("after %d bytes from page %d on: %v", len(b), n, err)
	}
	return string(b)
}

func TestText(t *testing.T) {
	f := shared()
	damaged := file(show("one"), show("two"))
	damaged = bytes.Replace(damaged, []byte("startxref\n"), []byte("startxref\n9"), 1)
	form := newBuilder()
	field := form.stream("/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F 3 0 R>>>>",
		"BT /F 12 Tf 2 5 Td (value) Tj ET")
	widget := form.add(fmt.Sprintf("<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(value)/F 4"+
		"/Rect[120 795 220 815]/AP<</N %d 0 R>>>>", field))
	form.catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R]>>", widget)
	form.page(show("Name:"), fmt.Sprintf("/Annots[%d 0 R]", widget))
	inherited := newBuilder()
	const parent, child = 4, 5
	inherited.add(fmt.Sprintf("<</FT/Tx/T(name)/V(a value)/Kids[%d 0 R]>>", child))
	inherited.add(fmt.Sprintf("<</Type/Annot/Subtype/Widget/Parent %d 0 R/F 4/Rect[120 795 220 815]>>", parent))
	inherited.catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R]>>", parent)
	inherited.page(show("Name:"), fmt.Sprintf("/Annots[%d 0 R]", child))
	run := func(name string, content []byte, want string) {
		t.Run(name, func(t *testing.T) {
			if got := read(t.Context(), t, f, content); got != want {
				t.Errorf("got:\n%s", got)
			}
			testPages(t, f, content, want)
		})
	}
	run("two pages", file(show("one", "two"), show("three")),
		"# page 1 of 2\none\ntwo\n\n# page 2 of 2\nthree\n")
	run("hyphens", file(show("an inter-", "national word, well-", "known, and 10-", "20")),
		"# page 1 of 1\nan international\nword, wellknown,\nand 10-\n20\n")
	run("a line that has only the end of a word", file(show("an inter-", "national", "Next line")),
		"# page 1 of 1\nan international\nNext line\n")
	run("characters without Unicode", withoutUnicode('X', show("foo X bar", "a-X 2")),
		"# page 1 of 1\nfoo \ufffd bar\na-\ufffd 2\n")
	run("a table whose cells are written in any order",
		file(at(50, 800, "North")+at(50, 780, "South")+at(200, 800, "10")+at(300, 780, "40")+
			at(300, 800, "20")+at(200, 780, "30")),
		"# page 1 of 1\nNorth\t10\t20\nSouth\t30\t40\n")
	run("a table with the long target of a link",
		annotated(column(50, 5, "a label of a row")+column(300, 5, "a text of a row"),
			"/Subtype/Link/Rect[295 790 500 815]/A<</S/URI/URI(http://a.example/"+
				strings.Repeat("long", 40)+")>>"),
		"# page 1 of 1\na label of a row\ta text of a row (http://a.example/"+
			strings.Repeat("long", 40)+")\n"+
			strings.Repeat("a label of a row\ta text of a row\n", 4))
	run("a profile of colors", colored("red"), "# page 1 of 1\nred\n")
	run("columns of a page", file(column(50, 5, "a line of the left column")+column(300, 5, "a line of the right column")),
		"# page 1 of 1\n"+strings.Repeat("a line of the left column\n", 5)+
			strings.Repeat("a line of the right column\n", 5))
	run("columns of a table", file(column(50, 5, "item")+column(300, 5, "price of the item")),
		"# page 1 of 1\n"+strings.Repeat("item\tprice of the item\n", 5))
	run("columns of either", file(column(50, 5, "a line of the left column")+column(300, 5, "some more words")),
		"# page 1 of 1\n(columns may be those of a table, or of the page)\n"+
			strings.Repeat("a line of the left column\n", 5)+strings.Repeat("some more words\n", 5))
	run("rows with empty cells", file(at(50, 800, "Item")+at(250, 800, "Qty")+at(350, 800, "Price")+
		at(50, 780, "Long name")+at(250, 780, "2")+at(350, 780, "10.00")+
		at(250, 760, "3")+at(50, 740, "Nut")+at(350, 740, "0.50")),
		"# page 1 of 1\nItem\tQty\tPrice\nLong name\t2\t10.00\n\t3\nNut\t\t0.50\n")
	run("cells of two lines", file(at(50, 800, "Item")+at(250, 800, "What it is")+at(50, 780, "Nut")+
		at(250, 780, "a long description")+at(250, 766, "on two lines")+at(400, 780, "0.50")+at(50, 740, "Bolt")),
		"# page 1 of 1\nItem\tWhat it is\nNut\ta long description\t0.50\n\ton two lines\nBolt\n")
	run("superscript", file("BT /F 12 Tf 50 800 Td (10) Tj 5 Ts /F 7 Tf (-2) Tj 0 Ts /F 12 Tf ( m, H) Tj "+
		"-2 Ts /F 7 Tf (2) Tj 0 Ts /F 12 Tf (O) Tj ET"),
		"# page 1 of 1\n10^-2 m, H2O\n")
	run("rotated", file("BT /F 12 Tf 0 1 -1 0 300 300 Tm (upwards text) Tj ET "+show("level")),
		"# page 1 of 1\nupwards text\nlevel\n")
	run("no text on a page", file(show("one"), "", show("three"), ""),
		"# page 1 of 4\none\n\n# page 2 of 4\n(no text; #page=2 shows the page as a picture)\n\n# page 3 of 4\nthree\n\n"+
			"# page 4 of 4\n(no text; #page=4 shows the page as a picture)\n")
	run("no text on the first page", file("", show("two")),
		"# page 1 of 2\n(no text; #page=1 shows the page as a picture)\n\n# page 2 of 2\ntwo\n")
	run("no text", file("", "0 0 100 100 re f"),
		"x.pdf has no text; #page=1 after its path shows the first of its 2 pages as a picture\n")
	run("no text on one page", file(""),
		"x.pdf has no text; #page=1 after its path shows the page as a picture\n")
	run("damaged", damaged,
		"(the file is damaged; text may be missing)\n\n"+
			"# page 1 of 2\none\n\n# page 2 of 2\ntwo\n")
	run("truncated", damaged[:len(damaged)-200],
		"x.pdf is not a valid document: its structure cannot be read\n")
	run("control characters", file(show(`a\001b\177c\tde\rf`)),
		"# page 1 of 1\na\ufffdb\ufffdc de f\n")
	run("form", form.bytes(), "# page 1 of 1\nName:\tvalue\n")
	run("form without appearances", annotated(at(50, 800, "Name:")+at(50, 760, "Yes")+at(120, 740, "No"),
		"/Subtype/Widget/FT/Tx/V(a value)/Rect[120 795 220 815]",
		"/Subtype/Widget/FT/Btn/AS/On/Rect[120 755 132 767]",
		"/Subtype/Widget/FT/Btn/AS/Off/Rect[50 735 62 747]",
		"/Subtype/Widget/FT/Btn/Rect[50 715 62 727]",
		"/Subtype/Widget/FT/Tx/V(alone)/Rect[120 500 220 515]"),
		"# page 1 of 1\nName:\ta value\nYes\t[x]\n[ ]\tNo\nalone\n")
	run("links", annotated(show("See the manual, or", "http://b.example/x"),
		"/Subtype/Link/Rect[90 795 133 815]/A<</S/URI/URI(http://a.example/)>>",
		"/Subtype/Link/Rect[40 780 300 793]/A<</S/URI/URI(http://b.example/x)>>"),
		"# page 1 of 1\nSee the manual (http://a.example/), or\nhttp://b.example/x\n")
	run("a long link", annotated(show("See the manual"), "/Subtype/Link/Rect[90 795 133 815]/A<</S/URI/URI"+
		"(http://a.example/"+strings.Repeat("x", 2048)+")>>"),
		"# page 1 of 1\nSee the manual (a URL of 2065 bytes)\n")
	run("a value of the field above", inherited.bytes(), "# page 1 of 1\nName:\ta value\n")
	run("no pages", newBuilder().bytes(), "x.pdf is not a valid document: it has no pages\n")
	run("nothing", []byte("%PDF-1.7\n"),
		"x.pdf is not a valid document: its structure cannot be read\n")
}

// testPages checks that reading from each page on gives the end of the whole text.
func testPages(t *testing.T, f *Format, content []byte, whole string) {
	t.Helper()
	for n := 1; ; n++ {
		at := strings.Index(whole, fmt.Sprintf("# page %d of ", n))
		if at < 0 {
			break
		}
		if got := readFrom(t.Context(), t, f, content, n); got != whole[at:] {
			t.Errorf("from page %d:\n%s", n, got)
		}
	}
}

// TestBrokenPages reads a file with many pages that cannot be read, of which the text does not show
// all. It ends at the same page wherever the reading begins.
func TestBrokenPages(t *testing.T) {
	f := shared()
	for _, n := range []int{99, 1000} {
		content := brokenPages(n)
		whole := read(t.Context(), t, f, content)
		end := fmt.Sprintf("# page %d of %[1]d\nlast\n", n+2)
		if n >= maxUnreadable {
			end = fmt.Sprintf("\npages 101 to %d: cannot be read (is damaged, as those before them)\n", n+2)
		}
		if !strings.HasSuffix(whole, end) {
			t.Errorf("ends with %q", whole[max(0, len(whole)-200):])
		}
		for _, page := range []int{2, 3, 50, 100, 101} {
			at := strings.Index(whole, fmt.Sprintf("# page %d of ", page))
			if got := readFrom(t.Context(), t, f, content, page); got != whole[at:] {
				t.Errorf("from page %d: got %d bytes, want %d, ends with %q",
					page, len(got), len(whole)-at, got[max(0, len(got)-100):])
			}
		}
	}
}

// TestDamagedTrees reads files whose trees of pages are damaged, from each page on.
func TestDamagedTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 15 {
		b := newBuilder()
		for n := range 8 {
			switch random.IntN(7) {
			case 0:
				b.pages = append(b.pages, b.add("null"))
			case 1:
				const tree = 2
				b.pages = append(b.pages, tree)
			case 2:
				kids := b.add(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%d 0 R]>>", random.IntN(4), len(b.objects)+3))
				b.page(show(fmt.Sprint("kid ", n)), "")
				b.pages[len(b.pages)-1] = kids
			default:
				b.page(show(fmt.Sprint("page ", n)), "")
			}
		}
		if random.IntN(2) == 0 {
			b.count = fmt.Sprint(random.IntN(20))
		}
		content := b.bytes()
		testPages(t, shared(), content, read(t.Context(), t, shared(), content))
	}
}

// TestFiles compares the text of the files in testdata with the recorded text.
func TestFiles(t *testing.T) {
	f := shared()
	files, err := filepath.Glob("testdata/*.pdf")
	if err != nil || len(files) == 0 {
		t.Fatal("no files: ", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := read(t.Context(), t, f, content)
			recorded := strings.TrimSuffix(name, "pdf") + "txt"
			if *update {
				if err := os.WriteFile(recorded, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(recorded)
			if err != nil || got != string(want) {
				t.Errorf("%v; got:\n%s", err, got)
			}
			testPages(t, f, content, got)
		})
	}
}

// TestRecognize checks what is a PDF file: not text that mentions one.
func TestRecognize(t *testing.T) {
	for content, want := range map[string]bool{
		"%PDF-1.7\n":                                   true,
		"\ufeff\r\n %PDF-1.7\n":                        true,
		"HTTP/1.1 200 OK\n\n%PDF-1.7\n%\xe2\xe3":       true,
		"\x00\x00%PDF-1.7\n":                           true,
		"a file that begins with %PDF-1.7":             false,
		"- \"%PDF-\": a caf\u00e9":                     false,
		strings.Repeat("%", 1020) + "%PDF-1.7":         false,
		"%PDF-1.7 \r" + strings.Repeat("\u00e9", 1024): true,
		"%PDF-1.7 is a format":                         false,
		"%PDF-\xff":                                    true,
		"x %PDF-1" + strings.Repeat("\u00e9", 1024):    false,
		"xx %PDF-" + strings.Repeat("\U0001f600", 400): false,
		"PDF": false,
		"a.pdf" + strings.Repeat("\x00", 252) + "ustar" + strings.Repeat("\x00", 250) + "%PDF-1.7\n": false,
		"PK\x03\x04\x14\x00a.pdf%PDF-1.7\n": false,
		"%PDF-1.7\n%\xe2\xe3PK\x03\x04":     true,
	} {
		formats := []documents.Format{shared()}
		d, err := documents.Open(t.Context(), formats, "x", strings.NewReader(content))
		if got := d != nil; got != want || err != nil {
			t.Errorf("%.40q: %v, %v", content, got, err)
		}
	}
}
