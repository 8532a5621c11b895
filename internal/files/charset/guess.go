package charset

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Guess returns the encoding that a text without a mark most likely has if it is not UTF-8.
// It reports false for what is more likely binary, or UTF-8 with mistakes.
func Guess(head []byte) (Encoding, bool) {
	if e, ok := guessWide(head); ok {
		return e, true
	}
	if !fewControls(head) || isBrokenUTF8(head) {
		return Encoding{}, false
	}
	for _, guess := range []func([]byte) (Encoding, bool){guessCyrillic, guessDouble, guessWestern} {
		if e, ok := guess(head); ok {
			return e, true
		}
	}
	return Encoding{}, false
}

// guessWide recognizes UTF-16 without a mark: every second byte of its ASCII characters is 0.
func guessWide(head []byte) (Encoding, bool) {
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	units := len(head) / 2
	for i, m := range []mark{marks[3], marks[2]} { // big endian has its zeros first
		if units >= 4 && zeros[i]*2 > units && zeros[1-i]*50 < units {
			return Encoding{Name: m.name, Guessed: true, decoded: m.encoding}, true
		}
	}
	return Encoding{}, false
}

// isBrokenUTF8 reports whether most characters outside ASCII are UTF-8.
func isBrokenUTF8(head []byte) bool {
	valid, invalid := 0, 0
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		switch {
		case size > 1:
			valid++
		case r == utf8.RuneError:
			invalid++
		}
		head = head[size:]
	}
	return valid >= invalid
}

// A double is an encoding with characters of two bytes. Most characters of ordinary text are in the
// common ranges, of which each is a first and a last character. Of equals, the first is guessed.
type double struct {
	name     string
	encoding encoding.Encoding
	common   [][2]uint16
	letters  string // the most frequent ones
}

var doubles = []double{
	{
		"GBK", simplifiedchinese.GBK,
		[][2]uint16{{0xa1a1, 0xa1fe}, {0xa3a1, 0xa3fe}, {0xb0a1, 0xd7f9}},
		"的一是不了在人有我他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会" +
			"那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看" +
			"学进种将还分此心前面又定见只主没公从数据文件名称函型设置读取写入返回错误请输加" +
			"第部实现使参",
	},
	{"Shift-JIS", japanese.ShiftJIS, [][2]uint16{
		{0x8140, 0x81fc}, {0x824f, 0x829a}, {0x829f, 0x82f1}, {0x8340, 0x8396}, {0x889f, 0x9872},
	}, kana},
	{"EUC-JP", japanese.EUCJP, [][2]uint16{
		{0xa1a1, 0xa1fe}, {0xa3b0, 0xa3fa}, {0xa4a1, 0xa4f3}, {0xa5a1, 0xa5f6}, {0xb0a1, 0xcfd3},
	}, kana},
	{
		"EUC-KR", korean.EUCKR,
		[][2]uint16{{0xa1a1, 0xa1fe}, {0xa3a1, 0xa3fe}, {0xb0a1, 0xc8fe}},
		"이다는에의을가고하기로지사를은한도리시서어아나자대스정인일수원구제장상부전주해그보과여" +
			"와들라년으만니교선면동성경신공내안비조용요분화무체유",
	},
	{
		"Big5", traditionalchinese.Big5,
		[][2]uint16{{0xa140, 0xa3fe}, {0xa440, 0xc67e}},
		"的一是不了在人有我他這為之大來以個中上們到說國和地也子時道出而要於就下得可你年生自會" +
			"那後能對著事其里所去行過家十用發天如然作方成者多日都三小軍二無同麼經法當起與好看" +
			"學進種將還分此心前面又定見只主沒公從數據檔案名稱函型設定讀取寫入返回錯誤請輸加" +
			"第部實現使參",
	},
}

const kana = "のにるたをはとがでてしなれいあすさりまこらかっうくんもきつおよけめそだどわちみせろえやア" +
	"イウカクコサシスタチットナニフマムメラリルレロンードグジデバパプ"

// guessDouble returns the encoding whose frequent letters are most frequent, if almost all
// characters are common ones in it.
func guessDouble(head []byte) (best Encoding, ok bool) {
	most := -1.0
	for _, d := range doubles {
		share, isLikely := d.score(head)
		if isLikely && share > most {
			most, ok = share, true
			best = Encoding{Name: d.name, Guessed: true, decoded: d.encoding}
		}
	}
	return best, ok
}

// sampled is the number of characters outside ASCII that are scored.
const sampled = 2000

// score returns the share of frequent letters.
func (d double) score(head []byte) (share float64, likely bool) {
	total, common, frequent := 0, 0, 0
	isBefore := false // the last pair was not decoded
	decoder := d.encoding.NewDecoder()
	for i := 0; i < len(head); i++ {
		if head[i] < utf8.RuneSelf {
			continue
		}
		if i+1 == len(head) || total == sampled {
			break
		}
		total++
		pair := uint16(head[i])<<8 | uint16(head[i+1])
		i++
		decoded, err := decoder.Bytes([]byte{byte(pair >> 8), byte(pair)})
		isPair := err == nil && utf8.RuneCount(decoded) == 1 && !bytes.ContainsRune(decoded, '\ufffd')
		if !isPair {
			if isBefore {
				return 0, false
			}
			isBefore = true
			continue
		}
		isBefore = false
		if slices.ContainsFunc(d.common, func(r [2]uint16) bool { return r[0] <= pair && pair <= r[1] }) {
			common++
		}
		if strings.Contains(d.letters, string(decoded)) {
			frequent++
		}
	}
	likely = total > 1 && common*20 >= total*17
	return float64(frequent) / float64(max(total, 1)), likely
}

var cyrillic = []struct {
	name    string
	charmap *charmap.Charmap
}{
	{"Windows-1251", charmap.Windows1251}, {"KOI8-R", charmap.KOI8R},
}

// guessCyrillic returns the encoding in which most letters are the most frequent ones of Russian.
func guessCyrillic(head []byte) (Encoding, bool) {
	for _, c := range cyrillic {
		total, frequent := 0, 0
		for _, b := range head {
			if b < utf8.RuneSelf {
				continue
			}
			total++
			if strings.ContainsRune("оеаинтсрвлкмдпуя", c.charmap.DecodeByte(b)) {
				frequent++
			}
		}
		if total > 3 && frequent*20 > total*11 {
			return Encoding{Name: c.name, Guessed: true, decoded: c.charmap}, true
		}
	}
	return Encoding{}, false
}

// guessWestern recognizes text in which letters outside ASCII are beside others.
func guessWestern(head []byte) (Encoding, bool) {
	total, beside := 0, 0
	before := byte(' ')
	for i, c := range head {
		if c >= utf8.RuneSelf {
			total++
			after := byte(' ')
			if i+1 < len(head) {
				after = head[i+1]
			}
			if isWestern(c, before, after) {
				beside++
			}
		}
		before = c
	}
	isText := total > 0 && beside*4 >= total*3
	return Encoding{Name: "Windows-1252", Guessed: true, decoded: charmap.Windows1252}, isText
}

// isWestern reports whether a byte is where Western text has such a letter or sign.
func isWestern(c, before, after byte) bool {
	switch {
	case strings.IndexByte("\x81\x8d\x8f\x90\x9d", c) >= 0: // not in Windows-1252
		return false
	case c < 0xc0, c == 0xe0: // quotation marks, dashes and signs; the word à
		return before < utf8.RuneSelf || after < utf8.RuneSelf
	default:
		return isLetter(before) || isLetter(after)
	}
}

func isLetter(c byte) bool {
	lower := c | 0x20
	return 'a' <= lower && lower <= 'z'
}
