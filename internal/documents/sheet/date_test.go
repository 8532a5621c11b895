package sheet

import "testing"

func TestDatePartsOf(t *testing.T) {
	const both = showsDate | showsTime
	for format, want := range map[string]dateParts{
		"General":                        0,
		"0.00":                           0,
		"#,##0 \"days\"":                 0,
		"d.m.yyyy":                       showsDate,
		"MMMM":                           showsDate,
		"mmm\\ yy":                       showsDate,
		"hh:mm":                          showsTime,
		"mm:ss.000":                      showsTime,
		"h:mm AM/PM":                     showsTime,
		"yyyy-mm-dd\"T\"hh:mm:ss.00":     both,
		"[$-409]d/m/yy\\ h:mm;@":         both,
		"[Red]d.m.;\"yyyy\"0":            showsDate,
		"[h]:mm":                         showsDuration,
		"[SS]":                           showsDuration,
		"0\\h":                           0,
		"\"a date: dd\"":                 0,
		"_d0":                            0,
		"*d@":                            0,
		"yyyy 0":                         0,
		"\"a text that does not end: dd": 0,
		"[>=100]d":                       showsDate,
		"\"é\"d":                         showsDate,
	} {
		if got := datePartsOf(format); got != want {
			t.Errorf("%q: got %b, want %b", format, got, want)
		}
	}
}

func TestDate(t *testing.T) {
	const both = showsDate | showsTime
	for _, tt := range []struct {
		stored   string
		date1904 bool
		parts    dateParts
		want     string
	}{
		{"0", false, showsDate, "1899-12-31"},
		{"59", false, showsDate, "1900-02-28"},
		{"61", false, showsDate, "1900-03-01"},
		{"45658", false, showsDate, "2025-01-01"},
		{"45658", false, both, "2025-01-01T00:00:00"},
		{"45658.5", false, showsDate, "2025-01-01T12:00:00"},
		{"45658.75", false, showsTime, "18:00:00"},
		{"0.999999", false, showsTime, "00:00:00"},
		{"44196", true, showsDate, "2025-01-01"},
		{"2958465", false, showsDate, "9999-12-31"},
		{"2958466", false, showsDate, "2958466"},
		{"-1", false, showsDate, "-1"},
		{"text", false, showsDate, "text"},
	} {
		f := Format{parts: tt.parts}
		if got := string(f.Text([]byte(tt.stored), tt.date1904)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.stored, got, tt.want)
		}
	}
}
