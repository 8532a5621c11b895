package office

import (
	"bytes"
	"cmp"
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
// of each format must be at least 95 %, and 85 % for spreadsheets, in which LibreOffice calculates
// formulas and shows numbers and dates in their formats. GANDER_DOCUMENTS can name a folder with
// other documents than those of testdata; files below 95 % are logged.
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
		if format == ".xlsx" || format == ".ods" {
			least = .85
		}
		if mean < least {
			t.Errorf("%s: the recall is %.3f", format, mean)
		}
	}
}

// words counts the words of a text.
func words(text []byte) map[string]int {
	counts := map[string]int{}
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
		convert("csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false,false,false,-1")
		sheets, err := filepath.Glob(filepath.Join(dir, "*.csv"))
		testkit.Must(t, err)
		for _, sheet := range sheets {
			content, err := os.ReadFile(sheet)
			testkit.Must(t, err)
			out = append(append(out, content...), '\n')
		}
	case "pptx", "odp":
		convert("pdf")
		base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		out = run("pdftotext", filepath.Join(dir, base+".pdf"), "-")
	}
	return words(bytes.ToValidUTF8(out, nil))
}
