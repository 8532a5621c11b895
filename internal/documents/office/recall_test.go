package office

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gander/internal/documents"
	"gander/internal/testkit"
	"gander/internal/testkit/officefiles"
)

// TestRecall compares the words of documents with those that pandoc or LibreOffice finds. The mean
// of each format must be at least 95 %, and 90 % for XLSX, of which LibreOffice calculates formulas
// without a stored value. GANDER_DOCUMENTS can name a folder with other documents than those of
// testdata; files below 95 % are logged. The words of a slide are those of its paragraphs, because
// a picture of it would have the numbers of axes, and the words of pictures.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("starts other programs")
	}
	names, err := filepath.Glob(filepath.Join(cmp.Or(os.Getenv("GANDER_DOCUMENTS"), "testdata"), "*.*"))
	testkit.Must(t, err)
	recall := map[string][]float64{}
	for _, name := range names {
		want := reference(t, name)
		if len(want) == 0 {
			continue
		}
		content, err := os.ReadFile(name)
		testkit.Must(t, err)
		got := words([]byte(officefiles.Text(read(t.Context(), name, content, documents.Limits{}))))
		found, total := 0, 0
		for word, n := range want {
			found += min(n, got[word])
			total += n
		}
		share := float64(found) / float64(total)
		recall[filepath.Ext(name)] = append(recall[filepath.Ext(name)], share)
		if share < .95 {
			t.Logf("%s: %.2f", name, share)
		}
	}
	if len(recall) == 0 {
		t.Skip("neither pandoc nor LibreOffice is installed")
	}
	for format, shares := range recall {
		sum := 0.0
		for _, share := range shares {
			sum += share
		}
		mean := sum / float64(len(shares))
		t.Logf("%s: %d files, recall %.3f", format, len(shares), mean)
		least := .95
		if format == ".xlsx" {
			least = .9
		}
		if mean < least {
			t.Errorf("%s: the recall is %.3f", format, mean)
		}
	}
}

// words counts the words of a text. A date and its time are several.
func words(text []byte) map[string]int {
	counts := map[string]int{}
	text = regexp.MustCompile(`(\d)T(\d)`).ReplaceAll(text, []byte("$1 $2"))
	for _, word := range regexp.MustCompile(`[\pL\pN]+`).FindAll(text, -1) {
		counts[string(word)]++
	}
	return counts
}

// reference returns the words of a document as another program finds them, if it is installed.
func reference(t *testing.T, name string) map[string]int {
	t.Helper()
	run := func(program string, args ...string) []byte {
		out, err := exec.CommandContext(t.Context(), program, args...).Output()
		if err != nil {
			t.Logf("%s %s: %v", program, name, err)
		}
		return out
	}
	dir := t.TempDir()
	convert := func(format string) {
		run("soffice", "-env:UserInstallation=file://"+os.TempDir()+"/gander-soffice", "--headless",
			"--convert-to", format, "--outdir", dir, name)
	}
	var out []byte
	switch format := strings.TrimPrefix(filepath.Ext(name), "."); format {
	case "docx", "odt", "epub":
		out = run("pandoc", "-f", format, "-t", "plain", "--wrap=none", name)
	case "xlsx", "ods":
		convert("csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,true,false,false,-1")
		sheets, err := filepath.Glob(filepath.Join(dir, "*.csv"))
		testkit.Must(t, err)
		for _, sheet := range sheets {
			content, err := os.ReadFile(sheet)
			testkit.Must(t, err)
			out = append(append(out, content...), '\n')
		}
	case "pptx", "odp":
		convert("fodp")
		base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		content, err := os.ReadFile(filepath.Join(dir, base+".fodp"))
		if err == nil { // otherwise LibreOffice is missing, or could not read it
			out = paragraphs(t, content)
		}
	}
	return words(bytes.ToValidUTF8(out, nil))
}

// paragraphs returns the texts of the paragraphs on slides and in their notes, without fields that
// LibreOffice computes.
func paragraphs(t *testing.T, flat []byte) (text []byte) {
	slides, depth, aside := 0, 0, 0
	count := func(element string, change int) {
		switch element {
		case "page":
			slides += change
		case "p", "h":
			depth += change
			text = append(text, ' ')
		case "s", "tab", "line-break":
			text = append(text, ' ')
		case "title", "desc", "binary-data", "page-number", "date", "time":
			aside += change
		}
	}
	for d := xml.NewDecoder(bytes.NewReader(flat)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return text
		}
		testkit.Must(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			count(token.Name.Local, +1)
		case xml.EndElement:
			count(token.Name.Local, -1)
		case xml.CharData:
			if slides > 0 && depth > 0 && aside == 0 {
				text = append(text, token...)
			}
		}
	}
}
