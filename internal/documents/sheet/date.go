package sheet

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The dateParts are what a number format shows of a date. Zero is a format of numbers.
type dateParts byte

const (
	showsDate dateParts = 1 << iota
	showsTime
	showsDuration // hours, minutes or seconds without a limit
)

// What a number format has besides the letters for parts of a date and the digits of a number.
var (
	literal   = regexp.MustCompile(`(?s)"[^"]*"?|[\\_*].?`) // text, or a character
	duration  = regexp.MustCompile(`\[([hms]+)\]`)
	inBracket = regexp.MustCompile(`\[[^\]]*\]?`) // a color, a condition or a language
)

// datePartsOf returns what a number format shows of a date, such as "d.m.yyyy hh:mm".
func datePartsOf(format string) dateParts {
	positive, _, _ := strings.Cut(format, ";") // then that of negative numbers
	letters := strings.ToLower(literal.ReplaceAllString(positive, ""))
	if duration.MatchString(letters) {
		return showsDuration
	}
	letters = inBracket.ReplaceAllString(letters, "")
	letters = strings.ReplaceAll(letters, "general", "")
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
	if parts == 0 && strings.Contains(letters, "m") { // with other parts, it can be minutes
		parts = showsDate
	}
	return parts
}

// lastSerial is the number of the day after 9999-12-31.
const lastSerial = 2_958_466

// date returns a number of days as a date and time in the form of ISO 8601, or as a duration. It
// returns nil for what is none.
func (f Format) date(stored []byte, date1904 bool) []byte {
	serial, err := strconv.ParseFloat(string(stored), 64)
	if err != nil || !(math.Abs(serial) < lastSerial) {
		return nil
	}
	if f.parts == showsDuration {
		return f.duration(serial)
	}
	if serial < 0 {
		return nil
	}
	days, part := math.Modf(serial)
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60: // before 29 February 1900, which Lotus 1-2-3 invented
		first = first.AddDate(0, 0, 1)
	}
	seconds := time.Duration(math.Round(part * 86400))
	at := first.AddDate(0, 0, int(days)).Add(seconds * time.Second)
	switch {
	case f.parts == showsTime:
		return at.AppendFormat(nil, time.TimeOnly)
	case f.parts == showsDate && seconds == 0:
		return at.AppendFormat(nil, time.DateOnly)
	}
	return at.AppendFormat(nil, "2006-01-02T15:04:05")
}

// duration returns a number of days as "36:00:00", or in the largest unit of the format.
func (f Format) duration(days float64) []byte {
	sign := ""
	if days < 0 {
		sign = "-"
	}
	seconds := int64(math.Round(math.Abs(days) * 86400))
	letters := strings.ToLower(f.code)
	switch duration.FindStringSubmatch(letters)[1][0] {
	case 's':
		return fmt.Appendf(nil, "%s%d", sign, seconds)
	case 'm':
		return fmt.Appendf(nil, "%s%d:%02d", sign, seconds/60, seconds%60)
	}
	if !strings.Contains(letters, "s") && seconds%60 == 0 {
		return fmt.Appendf(nil, "%s%d:%02d", sign, seconds/3600, seconds/60%60)
	}
	return fmt.Appendf(nil, "%s%d:%02d:%02d", sign, seconds/3600, seconds/60%60, seconds%60)
}
