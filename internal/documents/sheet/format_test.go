package sheet

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ code, stored, want string }{
		{"General", "1190.595", "1190.595"},
		{"0%", "0.19", "19%"},
		{"0.0%", "0.075", "7.5%"},
		{"0 %", "0.19", "19 %"},
		{`"$"#,##0.00`, "1234.5", "$1,234.50"},
		{`"$"#,##0.00`, "-1234.5", "-$1,234.50"},
		{`_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)`, "-1234.5", "$(1,234.50)"},
		{`_("$"* #,##0.00_);_("$"* \(#,##0.00\);_("$"* "-"??_);_(@_)`, "0", "$-"},
		{`#,##0.00\ [$€-407]`, "1234567.891", "1,234,567.89 €"},
		{"0", "1234.567", "1235"},
		{"0", "0.4", "0 (0.4)"},
		{"0", "2.5", "3 (2.5)"},
		{"0.00", "1.005", "1.01 (1.005)"},
		{"0,,\"M\"", "12345678", "12M (12345678)"},
		{"0.0,", "1500", "1.5"},
		{"000-0000", "5551234", "555-1234"},
		{"00000", "123", "00123"},
		{"#,###", "0", ""},
		{"0.###", "1.5", "1.5"},
		{"0.###", "2", "2"},
		{"0.00E+00", "12345", "1.23E+04 (12345)"},
		{"##0.0E+0", "12345", "12345"},
		{".00", "12.5", "12.50"},
		{".00", "0.5", ".50"},
		{"0.0%" + strings.Repeat("%", 200), "1", "1"},
		{"# ?/?", "1.5", "1.5"},
		{"# ??/??", "0.333333333333333", "0.333333333333333"},
		{`"yes";"yes";"no"`, "1", "yes (1)"},
		{`"yes";"yes";"no"`, "0", "no"},
		{";;;", "42", "(hidden) 42"},
		{"[Red]-0.0;[Blue]0.0", "-3", "3.0"},
		{`[<100]0.0;[>=100]0`, "123.4", "123.4"},
		{"[h]:mm:ss", "1.5", "36:00:00"},
		{"[mm]:ss", "0.5", "720:00"},
		{"yyyy-mm-dd", "45292", "2024-01-01"},
		{"@", "12", "12"},
		{"0.00", "text", "text"},
		{"0", "1234567890123456", "1234567890123456"},
		{"General\" kg\"", "12.5", "12.5 kg"},
		{"(0)", "7", "(7)"},
	} {
		got := string(NewFormat(tt.code).Text([]byte(tt.stored), false))
		if got != tt.want {
			t.Errorf("%q of %s: got %q, want %q", tt.code, tt.stored, got, tt.want)
		}
	}
}

// TestFormatsOfLibreOffice compares numbers in formats with what LibreOffice 25 shows, but for
// spaces.
func TestFormatsOfLibreOffice(t *testing.T) {
	recorded, err := os.ReadFile("testdata/formats.tsv")
	if err != nil {
		t.Fatal(err)
	}
	stored := regexp.MustCompile(` \([-0-9.eE+]+\)$`) // what follows a number that means another one
	n := 0
	for line := range strings.Lines(string(recorded)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		got := string(NewFormat(fields[0]).Text([]byte(fields[1]), false))
		got = stored.ReplaceAllString(got, "")
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(fields[2], " ", "") {
			t.Errorf("%q of %s: got %q, want %q", fields[0], fields[1], got, fields[2])
		}
		n++
	}
	if n < 450 {
		t.Errorf("%d numbers", n)
	}
}

func FuzzFormat(f *testing.F) {
	f.Add(`[$€-407]#,##0.0_);"x"\y*z[>=1]0%;# ?/?;0.0E+0`, "1234.5")
	f.Fuzz(func(t *testing.T, code, stored string) {
		got := NewFormat(code).Text([]byte(stored), false)
		isValid := utf8.ValidString(code) && utf8.ValidString(stored)
		if isValid && !utf8.Valid(got) {
			t.Errorf("got %q", got)
		}
		if len(got) > 2000+len(code)+3*len(stored) {
			t.Errorf("%d bytes", len(got))
		}
	})
}
