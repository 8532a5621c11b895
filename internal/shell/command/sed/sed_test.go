package sed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"gander/internal/shell/command"
	"gander/internal/testkit/commandtest"
	"gander/internal/testkit/fixture"
)

const text = "one two\nthree\n\nfour a/b\n  five é\n{six}\nseven\nseven\nnine \\ end\nlast"

// scripts are compared with GNU sed.
func scripts() []string {
	list := []string{
		"", "p", "5q", "2,4d", "$d", "$!d", "/e/p;p", "/e/!s/o/0/g", "s/[aeiou]/<&>/2g", "s/\\(.\\)\\(.\\)/\\2\\1/",
		"s,a/b,x\\,y,", "s/e/E/gp", "s/E/x/I", "y/abc/xyz/", "=", "1!G;h;$!d", "$!N;s/\\n/ /", "N;P;D", "/three/,/six/p",
		"/three/,+2d", "0,/seven/d", "1~3d", "2q7", "2Q", "n;d", "G", "x;p;x", "/^$/d", "a\\\nnew", "2i before", "3c\\  text",
		"2,3c gone", ":a;s/e/-/;ta", ":a;N;$!ba;s/\\n/,/g", "/one/{n;p};$p", "/x/b;s/^/> /", "s/$/\\tend/", "s/\\bf/F/", "s/o*/x/g",
		"/one/,3{/three/!p}", "$=", "2{h;d};${G}", "s/x\\?/-/3", "s/\\w\\+/W/2", "H;$!d;x;s/\\n/|/g", "b;p", "tx;s/a/b/;:x",
		"s/e/b/gg", "s/e/b/pp", "s/e/b/2g3", "s/e/b/gpg", "s/e/b/ g", "s/e/b/2 p", "1!!p", "1! !p", "1 ! p", "/a/p;//Ip", "//I", "//p", "1,+p", "/E/II!d", "/E/ Ip",
		"a X\nQ", "a X\n2Q", "r more\n2Q", "R more\nQ", "1{a X\nn;Q}", "$!N;a X\nP;D", "N;a X\nP;D", "N;r more\nP;D", "#n p", "#np\np", "#n;p", "#n#\n2p", " #n\np", "p\n#n",
		"s/\\x2f/q/", "s/[\\x61-\\x7a]/x/g", "s/\\x65/Q/", "s/e/\\x26/", "N;s/\\x0a/+/g",
		"s/a/b", "y/ab/c/", "k", "p x", "}", "{p", "ba", "2,", ":", "0p", "s/(/x/", "s/\\(/x/", "s/a/\\1/",
		"w out", "e", "s/a/b/e", "s/a/b/w out", "s/^a/b/M", "v", "0r more",
		"l", "l 9", "l0", "l1", "2l;p", "F", "z", "/e/z;s/^$/x/", "T", "Tx;s/^/>/;:x", ":a;s/o/0/;Tb;ba;:b;s/e/E/",
		"0~0p", "3~0p", "0~0,/e/d", "2,0~0p", "$q", "$!d;q4", "H;$!d;x;q", "c x", "i x", "$Q", "a x", "2c\\", "2,~3p", "3,~3d", "/o/,~2d", "/e/,~3p", "n;n;/e/,~5d", "/t/,~2s/^/-/", "2,~0d", "0,~2p", "r more", "2r more", "$r more", "R more", "R more\nR more",
		"2{R more\np}", "r nope", "1r more\nn;d", "a x\nr more", "r", "{r more}", "w /dev/stdout", "2W /dev/stdout",
		"N;W /dev/stdout", "s/e/E/w /dev/stdout", "s/e/E/gpw /dev/stdout", "w /dev/stderr", "R nope", "r .", "R .",
		"y/abc/xyz/;y/e/é/", "y/é/e/", "y/üéa/uex/", "y,/,\\,,", "y/ab/c/", "y/ab/\\n\\\\/", "y/\\n/x/", "N;y/\\n/+/", "y/\\//x/", "y/a/b/p",
		"y/aa/bc/", "y/a/\\q/", "y/a", "s/a/\\U&/", "s/\\w\\+/\\u&/g", "s/\\(.\\)\\(.*\\)/\\U\\1\\E\\2/", "s/\\(x*\\)\\(.\\)/\\u\\1\\2/",
	}
	for _, with := range []string{
		"\\u&", "\\U&x", "\\u\\L&Q", "\\L\\u&Q", "\\U\\1\\E\\2", "\\u\\3\\1", "\\U\\l\\1Q\\2", "x\\uyz", "\\u", "\\Ux\\uy\\lZ",
		"\\u\\l\\1", "\\l\\u\\1", "\\u\\Eab", "\\u\\U\\1b", "\\u\\nab", "\\u\\x41b", "\\ué\\1", "\\Uß\\1", "\\u\\3x\\2", "\\u\\3\\l\\1",
		"\\U\\u\\3\\1\\2", "\\u\\3\\E\\1", "\\L\\u\\3\\1Q", "\\u\\3\\3\\1",
	} {
		list = append(list, "s/\\([a-z]\\)\\([^ ]\\)\\(Z*\\)/"+with+"/")
	}
	for _, from := range []string{"2", "4", "/e/", "0"} {
		for _, to := range []string{"1", "2", "3", "7", "$", "/s/", "+0", "+1", "+3"} {
			list = append(list, from+","+to+"p", "/[eo]/!d\n"+from+","+to+"p", "n;"+from+","+to+"d", from+","+to+"!p")
		}
	}
	return list
}

// TestScripts compares scripts with GNU sed.
func TestScripts(t *testing.T) {
	real, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("sed is not installed")
	}
	if version, _ := exec.Command(real, "--version").Output(); !bytes.Contains(version, []byte("GNU sed) 4.")) {
		t.Skip("it is not GNU sed 4")
	}
	dir := t.TempDir()
	fixture.Write(t, dir, map[string]string{
		"text": text, "more": "first \xc3\xc3\xa9\xa9 a\nwithout end",
	})
	refused := 0
	for _, script := range scripts() {
		for _, args := range [][]string{
			{script}, {"-n", "-E", script, "text", "text"}, {"-s", script, "text", "more", "text"}, {"-z", script},
		} {
			got, status, err := commandtest.Run(t, t.Context(), Commands()[0], dir, text, args...)
			if errors.As(err, &command.Refusal{}) {
				refused++
				continue
			}
			want, wantStatus := commandtest.Real(t, real, dir, text, args...)
			if err != nil || got != want || status != wantStatus {
				t.Errorf("%q: %q, status %d, %v; GNU: %q, status %d", args, got, status, err, want, wantStatus)
			}
		}
	}
	if refused > 100 {
		t.Errorf("%d are refused", refused)
	}
}

// TestRefusedScripts checks that nothing is run in another way than GNU sed runs it.
func TestRefusedScripts(t *testing.T) {
	for _, script := range []string{
		"/o/M!d", "/o/IM!d", "s/\\x5e/b/", "s/\\x2e/b/g", "s/\\x5b/b/", "s/e\\x2a/b/g", "s/\\d94/b/", "s/\\o56/b/",
		"s/\\x24/b/", "s/\\x5c/b/", "s/\\x28/b/", "s/e\\x7c/Q/", "s/[\\x5e]/b/", "s/[\\x5d]/b/", "s/[a\\x2dz]/b/", "/\\x5e/d",
	} {
		_, _, err := commandtest.Run(t, t.Context(), Commands()[0], t.TempDir(), text, script)
		if !errors.As(err, &command.Refusal{}) {
			t.Errorf("%q is not refused: %v", script, err)
		}
	}
}

// FuzzScript runs any script on any input: it is refused, or ends in bounded time and memory.
func FuzzScript(f *testing.F) {
	for _, script := range scripts() {
		f.Add(script, text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, script, input string) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		for _, option := range []string{"-n", "-E"} {
			_, _, _ = commandtest.Run(t, ctx, Commands()[0], dir, input, option, script)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// TestBounded checks that a script that never ends is ended.
func TestBounded(t *testing.T) {
	for _, script := range []string{":a;ba", ":a;s/^/xx/;ta", ":a;G;h;ba", ":a;H;G;ba"} {
		t.Run(fmt.Sprintf("%.10s", script), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if _, _, err := commandtest.Run(t, ctx, Commands()[0], t.TempDir(), "x\n", script); err == nil {
				t.Error("it ended")
			}
		})
	}
}
