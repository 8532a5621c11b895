package xlsx

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
	"gander/internal/documents/sheet"
)

// The dateParts are what a number format shows of a date. Zero is a format of numbers.
type dateParts byte

const (
	showsDate dateParts = 1 << iota
	showsTime
)

// maxStyles is the number of styles of cells whose number formats are kept.
const maxStyles = 1 << 16

// readStyles reads which styles of cells show dates.
func (b *workbook) readStyles(p *ooxml.Package, part string) error {
	formats := map[int]dateParts{}
	for id, format := range builtinFormats {
		formats[id] = datePartsOf(format)
	}
	return p.ScanStarts(part, func(s *markup.Scanner) error {
		switch {
		case s.Name == "numFmt":
			formats[s.Number("numFmtId", math.MaxInt32)] = datePartsOf(s.Attr("formatCode"))
			return p.Keep(0)
		case s.Name == "xf" && s.Parent(0) == "cellXfs" && len(b.dates) < maxStyles:
			b.dates = append(b.dates, formats[s.Number("numFmtId", math.MaxInt32)])
		}
		return nil
	})
}

// builtinFormats are the formats of dates and times that a workbook does not contain. Those from 27
// to 36 and from 50 on depend on the language of Excel; these are Japanese.
var builtinFormats = map[int]string{
	14: "mm-dd-yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
	18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yy h:mm",
	27: "ge.m.d", 28: "ggge.m.d", 29: "ggge.m.d", 30: "m/d/yy", 31: "yyyy.m.d",
	32: "h:mm", 33: "h:mm:ss", 34: "yyyy.m", 35: "m.d", 36: "ge.m.d",
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mmss.0",
	50: "ge.m.d", 51: "ggge.m.d", 52: "yyyy.m", 53: "m.d", 54: "ggge.m.d",
	55: "yyyy.m", 56: "m.d", 57: "ge.m.d", 58: "ggge.m.d",
}

// What a number format has besides the letters for parts of a date and the digits of a number.
var (
	literal   = regexp.MustCompile(`(?s)"[^"]*"?|[\\_*].?`) // text, a character, or a space as wide as one
	duration  = regexp.MustCompile(`\[[hms]+\]`)
	inBracket = regexp.MustCompile(`\[[^\]]*\]?`) // a color, a condition or a language
)

// datePartsOf returns what a number format shows of a date, such as "d.m.yyyy hh:mm".
func datePartsOf(format string) dateParts {
	positive, _, _ := strings.Cut(format, ";") // then that of negative numbers
	letters := strings.ToLower(literal.ReplaceAllString(positive, ""))
	if duration.MatchString(letters) {
		return 0
	}
	letters = inBracket.ReplaceAllString(letters, "")
	timeAt, digitAt := strings.IndexAny(letters, "hs"), strings.IndexAny(letters, "0#?")
	isFraction := 0 <= timeAt && timeAt < digitAt // a fraction of a second
	if digitAt >= 0 && !isFraction {
		return 0
	}
	var parts dateParts
	if strings.ContainsAny(letters, "yd") {
		parts |= showsDate
	}
	if timeAt >= 0 {
		parts |= showsTime
	}
	if parts == 0 && strings.Contains(letters, "m") { // the month alone; with other parts, also minutes
		parts = showsDate
	}
	return parts
}

// lastSerial is the number of the day after 9999-12-31.
const lastSerial = 2_958_466

// date returns a number as a date and time in the form of ISO 8601.
func (b *workbook) date(stored []byte, parts dateParts) []byte {
	serial, err := strconv.ParseFloat(string(stored), 64)
	if err != nil || !(0 <= serial && serial < lastSerial) {
		return sheet.Number(stored)
	}
	days, part := math.Modf(serial)
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case b.date1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60: // before 29 February 1900, which Lotus 1-2-3 invented
		first = first.AddDate(0, 0, 1)
	}
	seconds := time.Duration(math.Round(part * 86400))
	at := first.AddDate(0, 0, int(days)).Add(seconds * time.Second)
	switch {
	case parts == showsTime:
		return at.AppendFormat(nil, time.TimeOnly)
	case parts == showsDate && seconds == 0:
		return at.AppendFormat(nil, time.DateOnly)
	}
	return at.AppendFormat(nil, "2006-01-02T15:04:05")
}
