package shell

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"gander/internal/shell/command"
)

func TestParseLimits(t *testing.T) {
	for _, script := range []string{
		strings.Repeat("(", 2000), strings.Repeat("$(", 2000), strings.Repeat("x", 20000),
		strings.Repeat("{ ", 2000), strings.Repeat("`", 2000), strings.Repeat("[[ ", 2000),
	} {
		if _, err := parse(script); err == nil {
			t.Errorf("%.20s... was parsed", script)
		}
	}
}

// TestSyntaxErrors checks that an error names what is wrong, which can be before its place.
func TestSyntaxErrors(t *testing.T) {
	for script, want := range map[string]string{
		"grep \"a[!(`]\" f; echo \"x\" | cat && f() { a; }": "the backquote at 1:11 begins; if it is text, write \\`",
		"echo 'it`s' \"a `b\" c":                            "the backquote at 1:16 begins",
		"echo \\` \"`date`\" '`' (a)":                       "quote the characters",
		"echo \"abc":                                        "quote the characters",
		"echo $((1.5))":                                     "floating point arithmetic is not in bash",
	} {
		if _, err := parse(script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
}

// TestRefused checks that nothing runs of a line with something that is not available.
func TestRefused(t *testing.T) {
	s := newTestShell(t, tree(t))
	for _, line := range []string{
		"a=(x y)", "a[0]=x", "a+=(x)", "echo ${a[0]}", "echo ${#a[@]}", "echo $((a[0]))", "declare x=1",
		"local -i x=1; f() { :; }", "readonly x=1", "let x=1", "eval let x=1", "eval 'exec ls'",
		"builtin echo x", "shopt -s globstar", "mapfile x", "readarray x", "read -n 1 x", "read -a x",
		"set -f", "set -x", "set a b", "printf -v x y", "printf '%q' x", "printf '%(%F)T'", "pwd -P", "cd -P .",
		"env A=1 true", "env -i true", "set", "type -a ls", "which -a ls", "echo 12>/dev/null", "echo 02>/dev/null", "timeout -k 1 2 true", "type -p ls", "command -V ls", "bash -o posix -c :",
		"test -f a -a -f b", "[ a -ot b ]", "[ -t 1 ]", "[ ! -O a ]", "[[ a -nt b ]]", "[[ -v x ]]",
		"case a in a) ;& esac", "case a in a) ;;& esac", "echo @(a|b)", "select x in a; do :; done",
		"echo ${!x}", "echo ${!x*}", "echo ${x@Q}", "echo ${@:2}", "echo ${@#x}", "echo ${*:-x}", "echo $-",
		"echo ${PIPESTATUS[0]}", "echo $LINENO", "echo $RANDOM", "echo ${BASH_REMATCH[0]}", "echo $OPTIND",
		"echo ${x:?y}", "x=a:~", "echo a\r\n", "eval $'echo a\\r'", "export \"A=b\"", "sed e a.txt", "grep '[:space:]' a.txt", "echo x > file", "echo x > /dev/full", "echo x > '/dev/full'", "echo x >&file",
		"echo x &", "exec ls", "trap : EXIT", "echo x 3>/dev/null", "sed 'w out' a.txt", "sed -i s/a/b/ a.txt",
		"bash -c 'eval x=(1)'", "f() { eval git; }", "echo ~root", "xargs sh -c 'let x=1'",
		"cat <<E'O'F\nx\nEOF\n", "x=$(cat) < a.txt", "export x=$(cat) < a.txt", "f() { local x=1 2>&1; }", `echo $'\U110000'`, "echo ~{/x,/y}",
		"echo ${ echo a;}", "f() g() { echo a; }", "f() echo a", "echo a | f() { :; } | cat", "echo x=~", "echo a=b:~/c",
		"echo ${x////y}", "echo ${x///}", "echo ${x:-<(cat)}", "echo $\\\n?", "echo ${#+}", "time -p true", "for i in a=~; do :; done", "echo ${1:=x}", "echo ${?=x}",
	} {
		var out bytes.Buffer
		r := s.Run(t.Context(), Script{Text: "echo begun; " + line, Out: &out, Err: &out})
		if r.Refused == nil || out.Len() > 0 {
			t.Errorf("%q: %v, %q", line, r.Refused, out.String())
		}
	}
}

// TestRefusedValues checks that a line ends where a value asks for something that is not available.
func TestRefusedValues(t *testing.T) {
	s := newTestShell(t, tree(t))
	for _, line := range []string{
		"printf %g 0x10", "printf %d abc", "printf %c ''", "printf %.20f 0.1", "printf %d 99999999999999999999",
		"x=2#11; echo $((x))", "x=\"let y=1\"; eval $x", "x=. ; PATH=/x; $x lib.sh", "eval foo", ". ./lib.sh; nosuch", "x=~root", "x=-i; sed $x p a.txt", "x=/tmp/y; echo > $x", "x=-; echo a >&$x", "x=-a; [ a $x b ]", `printf '\377\n' | read x`,
		"IFS=é; echo é | read x y", "shift x", "while :; do break 0; done", `echo a | awk '{ getline x < "-" }'`, `echo a | sed 'r /dev/stdin'`, "cat [[:nope:]]", "echo [[.a.]]",
		"exit 1 2", "exit -- 3", "for i in 1; do break 1 2; done", "shift 1 2", "echo {Z..a}", "a=b; b=a; echo $((a))",
		"a=x; echo {$a,b}_c", `echo -e '\uD800'`, "PATH=/x; cat a.txt", "PATH= ls", "unset PATH; ls",
		"LC_ALL=C grep x a.txt", "export LC_ALL=C", "LANG=en_US.UTF-8 sort a.txt", "unset LANG", "UID=1", "CDPATH=sub", "COLS=9", "LC_NUMERIC=C wc a.txt", "sh -c 'shift 2'", "sh nosuch", "bash sub", "unset UID",
		"TIME_STYLE=iso ls -l", "export GLOBIGNORE=x", "f() { unset x; }; x=1 f", "f() { local x; }; x=1 f",
		"f() { set -e; false; }; ! f", "! (set -e; false)", "for x in ~{/a,root}; do :; done", "x=a; echo ${x//[[:}", "set -u; x=a/b/c.d; ((x))", "TZ=UTC date", "FUNCNEST=3", `p='*/c\.txt'; echo $p`,
		`IFS='x '; echo 'a\ b' | read a b`, "(( x = LINENO ))", "x='a[1'; echo $((x))", "[[ a =~ * ]]", "[[ a =~ a{ ]]",
		"x='@(a|b)'; [[ a == $x ]]", "x=a; echo ${x//[^]]/b}", "IFS=x; set -- a '' b; echo $*", `echo "${x:-'$HOME'}"`,
		"PATH=/bin; type ls", "PATH=/bin; which ls", "bash +c 'echo a'", "dir sub",
	} {
		var out bytes.Buffer
		r := s.Run(t.Context(), Script{Text: line, Out: &out, Err: &out})
		if !errors.As(r.Stopped, &command.Refusal{}) || out.Len() > 0 {
			t.Errorf("%q: %v, %q", line, r.Stopped, out.String())
		}
	}
}
