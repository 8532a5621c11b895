package charset

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// texts are ordinary texts, and the encodings that they are stored in.
var texts = []struct {
	name     string
	encoding encoding.Encoding
	text     string
}{
	{"GBK", simplifiedchinese.GBK, "// 读取配置文件，如果文件不存在则返回错误\nint main(void) { return 0; } // 主函数\n" +
		"/* 方案说明：触摸按键的初始化和中断处理，使用定时器检测按键是否按下。*/\n"},
	{"Big5", traditionalchinese.Big5, "// 讀取設定檔案，如果檔案不存在就返回錯誤\nint main(void) { return 0; } // 主函數\n" +
		"/* 說明：這個程式會檢查使用者輸入的資料是否正確，並且顯示結果。*/\n"},
	{"Shift-JIS", japanese.ShiftJIS, "設定ファイルを読み込む\nname=太郎\n// この関数はエラーの場合に空の文字列を返します。\n"},
	{"EUC-JP", japanese.EUCJP, "設定ファイルを読み込む\nname=太郎\n// この関数はエラーの場合に空の文字列を返します。\n"},
	{"EUC-KR", korean.EUCKR, "설정 파일을 읽어서 값을 반환합니다.\n// 이 함수는 오류가 발생하면 빈 문자열을 돌려준다\n"},
	{"Windows-1252", charmap.Windows1252, "// configuração não é válida\nprocedure Ação;\nGrüße aus München, ça va déjà\n"},
	{"Windows-1251", charmap.Windows1251, "// Чтение файла настроек\nесли файл не найден, вернуть ошибку\n"},
	{"KOI8-R", charmap.KOI8R, "// чтение файла настроек\nесли файл не найден, вернуть ошибку\n"},
	{"UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "plain words in a file\r\n"},
}

// TestGuess guesses the encodings of texts with any lines before and after. A text never changes
// when it is decoded as guessed.
func TestGuess(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, tt := range texts {
		stored, err := tt.encoding.NewEncoder().String(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			head := stored
			if tt.name != "UTF-16" {
				for range random.IntN(30) {
					head = "\tif (x != 0) { y = f(x, \"a\"); }\n" + head
				}
			}
			e, ok := Guess([]byte(head))
			if !ok || e.Name != tt.name || IsUTF8([]byte(head)) && tt.name != "UTF-16" {
				t.Errorf("%s: guessed %q, %t", tt.name, e.Name, ok)
				break
			}
			decoded, err := tt.encoding.NewDecoder().String(stored)
			if err != nil || decoded != tt.text {
				t.Errorf("%s: %q, %v", tt.name, decoded, err)
			}
		}
	}
}

// TestNotGuessed checks that binary data and broken UTF-8 are not taken for another encoding.
func TestNotGuessed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		data := make([]byte, 200+random.IntN(2000))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if e, ok := Guess(data); ok {
			t.Errorf("%d random bytes are %s", len(data), e.Name)
		}
		broken := append([]byte("é漢字 \xff text \xe9 ünïcode"), "中文"...)
		if e, ok := Guess(broken); ok {
			t.Errorf("broken UTF-8 is %s", e.Name)
		}
	}
}

// TestIsUTF8 checks that any beginning of a text is text, with few NULs too.
func TestIsUTF8(t *testing.T) {
	text := "const key = a + \"\x00\" + b // é漢字🙂\n"
	for n := 18; n <= len(text); n++ {
		if !IsUTF8([]byte(text[:n])) {
			t.Errorf("%q is not text", text[:n])
		}
	}
	for _, data := range []string{"\x00\x01\x02\x03", "ustar\x00\x00\x00\x00", "\xff"} {
		if IsUTF8([]byte(data)) {
			t.Errorf("%q is text", data)
		}
	}
}

// FuzzDecision checks that every label and every text is decided without a panic.
func FuzzDecision(f *testing.F) {
	f.Add([]byte("text"), "gbk")
	f.Fuzz(func(t *testing.T, head []byte, label string) {
		IsUTF8(head)
		Marked(head)
		e, ok := Guess(head)
		if ok && e.IsUTF8() {
			t.Errorf("UTF-8 is guessed for %q", head)
		}
		_, _ = Named(label)
	})
}
