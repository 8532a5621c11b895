package pdf

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"gander/internal/documents"
)

// TestRealFiles compares the words of PDF files with those that pdftotext finds. The files are those
// below GANDER_PDF_FILES, or /usr/share/doc.
func TestRealFiles(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("no pdftotext")
	}
	root := os.Getenv("GANDER_PDF_FILES")
	if root == "" {
		root = "/usr/share/doc"
	}
	var files []string
	filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".pdf" {
			files = append(files, path)
		}
		return nil
	})
	total, compared := 0.0, 0
	var rows rowCount
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // a link to a file that is not installed
		}
		other, err := exec.Command("pdftotext", file, "-").Output()
		want := words(string(other))
		if err != nil || len(want) < 20 {
			continue
		}
		text := read(t.Context(), t, shared(), content)
		recall := share(want, words(text))
		layout, err := exec.Command("pdftotext", "-layout", file, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		inFile := countRows(t, string(layout), text)
		if inFile.found < inFile.all {
			t.Logf("%v rows %s", inFile, file)
		}
		rows.all += inFile.all
		rows.found += inFile.found
		if recall < 0.9 {
			t.Logf("%.3f %s", recall, file)
		}
		total += recall
		compared++
	}
	if compared == 0 {
		t.Skipf("no PDF file with text below %s", root)
	}
	mean := total / float64(compared)
	t.Logf("%d files, mean recall %.4f", compared, mean)
	t.Logf("%v rows of tables", rows)
	if compared >= 30 && mean < 0.95 {
		t.Errorf("mean recall %.4f", mean)
	}
	if rows.all >= 100 && rows.found < rows.all*95/100 {
		t.Errorf("%v rows of tables", rows)
	}
}

// A rowCount counts rows of tables, and those whose values are on one line.
type rowCount struct{ found, all int }

func (r rowCount) String() string { return fmt.Sprintf("%d of %d", r.found, r.all) }

// countRows compares the rows of tables in a text of pdftotext: lines with at least three
// numbers and few other cells. The numbers are on one line of the other text, in the same order.
func countRows(t *testing.T, layout, text string) rowCount {
	lines := make(map[string][]string) // by each word
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		for _, f := range fields {
			lines[f] = append(lines[f], " "+strings.Join(fields, " ")+" ")
		}
	}
	var rows rowCount
	for line := range strings.Lines(layout) {
		cells := wideSpace.Split(strings.TrimSpace(line), -1)
		numbers := slices.DeleteFunc(slices.Clone(cells), func(c string) bool { return !number.MatchString(c) })
		if len(numbers) < 3 || 2*len(numbers) < len(cells) {
			continue
		}
		rows.all++
		if slices.ContainsFunc(lines[numbers[0]], func(line string) bool { return hasInOrder(line, numbers) }) {
			rows.found++
		} else {
			t.Logf("missing row: %q", cells)
		}
	}
	return rows
}

var (
	wideSpace = regexp.MustCompile(` {2,}`)
	number    = regexp.MustCompile(`^[-+$€]?\d[\d.,]*%?$`)
)

func hasInOrder(line string, cells []string) bool {
	for _, c := range cells {
		_, after, found := strings.Cut(line, " "+c+" ")
		if !found {
			return false
		}
		line = " " + after
	}
	return true
}

// words counts the words of a text.
func words(text string) map[string]int {
	counts := make(map[string]int)
	text = strings.NewReplacer("\u00ad", "", "^", "").Replace(text)
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		counts[word]++
	}
	return counts
}

// share returns the part of the wanted words that got contains.
func share(want, got map[string]int) float64 {
	all, found := 0, 0
	for word, n := range want {
		all += n
		found += min(n, got[word])
	}
	return float64(found) / float64(all)
}

// seeds returns the files in testdata and some made here.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	all := [][]byte{
		file(show("one", "two"), show("three")),
		annotated(at(50, 800, "Name:"), "/Subtype/Widget/FT/Tx/V(value)/Rect[120 795 220 815]",
			"/Subtype/Widget/FT/Btn/AS/On/Rect[220 795 240 815]",
			"/Subtype/Link/Rect[40 790 100 815]/A<</S/URI/URI(http://a.example/)>>"),
		scan(t, 30, 20, false),
	}
	files, _ := filepath.Glob("testdata/*.pdf")
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content)
	}
	return all
}

// FuzzPDF reads damaged files.
func FuzzPDF(f *testing.F) {
	for _, content := range seeds(f) {
		f.Add(content)
	}
	f.Fuzz(checkDamaged)
}

// TestDamaged reads files with random damage. It tries more of them than FuzzPDF in the same time,
// because fuzzing observes each step of the compiler.
func TestDamaged(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	r := rand.New(rand.NewPCG(1, 2))
	seeds := seeds(t)
	for range 300 {
		content := slices.Clone(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(20) {
			at := r.IntN(len(content))
			switch r.IntN(4) {
			case 0:
				content[at] = byte(r.Uint32())
			case 1:
				content[at] ^= 1 << r.IntN(8)
			case 2: // a part is repeated somewhere else
				from := r.IntN(len(content))
				copy(content[at:], content[from:min(len(content), from+r.IntN(200))])
			case 3:
				if r.IntN(10) == 0 {
					content = content[:at+1]
				}
			}
		}
		checkDamaged(t, content)
	}
}

// checkDamaged checks that reading a file ends soon after its deadline, in little memory, and that the
// text from its second page on is the same without the first. The limit includes the memory that
// compiles PDFium.
func checkDamaged(t *testing.T, content []byte) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	d, err := documents.Open(ctx, []documents.Format{shared()}, "x", bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if d == nil {
		return
	}
	most := watchMemory(t)
	begin := time.Now()
	whole := read(ctx, t, shared(), content)
	if time.Since(begin) > 10*time.Second {
		t.Errorf("ended after %v", time.Since(begin))
	}
	if most := most(); most > 300<<20 {
		t.Errorf("%d MiB of memory", most>>20)
	}
	_, err = d.Draw(ctx, 1, 100, func(m *image.RGBA) error {
		_ = m.RGBAAt(m.Rect.Max.X-1, m.Rect.Max.Y-1)
		return nil
	})
	if err != nil && !isUnreadable(err) && ctx.Err() == nil {
		t.Errorf("drawing: %v", err)
	}
	second := strings.Index(whole, "\n# page 2 of ") + 1
	if second == 0 {
		return
	}
	got := readFrom(ctx, t, shared(), content, 2)
	if ctx.Err() == nil && got != whole[second:] {
		t.Errorf("from page 2 on: %q, want %q", got, whole[second:])
	}
}
