package boundary

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// shellAttacks use the path in $p in every way that a shell has. What a command prints about the path
// itself says nothing about what is there.
const shellAttacks = `
cat "$p"; cat < "$p"; echo "$(<"$p")"; head -c 99 "$p"; tail -n 3 -- "$p"; wc "$p"; nl "$p"; tac "$p"
ls -la "$p"; ls -la "$p/"; ls -d "$p"; ls -R "$p"; cat "$p"/*; echo "$p"*; echo "$p"/*; echo "$p"/.*
for f in "$p"/* "$p"*/*; do cat "$f"; done
echo "$p"/**/*
[ -e "$p" ] && echo exists; [ -d "$p" ] && echo directory; [ -L "$p" ] && echo link; [ -s "$p" ] && echo size
[[ -f $p ]] && echo file; [[ -r $p ]] && echo readable; [ -x "$p" ] && echo executable
cd "$p" && pwd && ls -la && cat *; cd "$p" && cd .. && ls; cd "$p/.." && ls; cd "$p"/* && ls
bash "$p"; sh "$p/y"; read -r l < "$p" && echo "$l"
while read -r l; do echo "$l"; done < "$p"
diff "$p" /dev/null; cat <(cat "$p"); cat /dev/stdin < "$p"
grep -r . "$p"; grep -c . "$p"; rg -n . "$p"; rg --files "$p"; find "$p" -printf '%s %l %M %f'; find "$p" -type f -size +1k
find "$p" -exec cat {} +; find . -path "$p" -print; find . -newer "$p"; find "$p/.." -maxdepth 1
echo "$p" | xargs cat; printf '%s\0' "$p" | xargs -0 -I{} head -1 {}; echo "$p" | xargs ls -la; stat "$p"; du -a "$p"
sed -n p "$p"; awk 1 "$p"; awk 1 x=1 "$p"
sort "$p"; uniq "$p"; cut -c1-9 "$p"; paste "$p"; tree "$p"; file "$p"; od -c "$p"; realpath "$p"; readlink -f "$p"
comm "$p" "$p"; md5sum "$p"; sha256sum "$p"; strings "$p"; xxd "$p"; hexdump -C "$p"
sort -u "$p" a; grep -R . "$p"; tree --gitignore "$p"; diff -r "$p" .; file - < "$p"; realpath --relative-to="$p" .
`

// attackWith runs every attack with a path.
func attackWith(t *testing.T, ts *gander.Toolset, p string) string {
	t.Helper()
	var text strings.Builder
	quoted := "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
	for line := range strings.SplitSeq(strings.TrimSpace(shellAttacks), "\n") {
		parts := []string{line}
		if !strings.HasPrefix(line, "for ") && !strings.HasPrefix(line, "while ") {
			parts = strings.Split(line, "; ") // a command that is refused hides no other
		}
		for _, part := range parts {
			text.WriteString(runLine(t, ts, "p="+quoted+"\n"+part))
		}
	}
	return text.String()
}

// runLine returns the result of a line.
func runLine(t *testing.T, ts *gander.Toolset, line string) string {
	t.Helper()
	raw, err := json.Marshal(object{"command": line})
	testkit.Must(t, err)
	result, err := ts.Call(context.Background(), "shell/bash", raw)
	if err != nil {
		return err.Error()
	}
	return result.Text() + "\n"
}

// TestBoundaryShell tries the attacks of TestBoundaryEscapes through the shell. It reveals nothing, and
// does the same for all that is outside.
func TestBoundaryShell(t *testing.T) {
	for name, text := range tooltest.Rows(t, "escapes.txt") {
		t.Run(name, func(t *testing.T) {
			e := parseEscape(t, text)
			if e.kind == tool.Denied {
				t.Skip("see TestBoundaryShellDenied")
			}
			top := makeTop(t, e.entries)
			ts := layouts[0].open(t, top)
			// A symlink to each outsider is itself inside, with the length of its name as its size.
			hasOwnLinks := strings.Contains(strings.Join(e.entries, ""), "{x}")
			for _, path := range e.paths {
				path = strings.NewReplacer("{w}", top+"/w", "{top}", top).Replace(path)
				checkAttacks(t, ts, path, top, hasOwnLinks)
				if relative := relativeTo(top+"/w", path); relative != "" {
					checkAttacks(t, ts, relative, top, hasOwnLinks)
				}
			}
		})
	}
}

func checkAttacks(t *testing.T, ts *gander.Toolset, path, top string, hasOwnLinks bool) {
	t.Helper()
	outcomes := make(map[string]string)
	names := outsiders()
	if !strings.Contains(path, "{x}") {
		names = names[:1]
	}
	for _, x := range names {
		p := strings.ReplaceAll(path, "{x}", x)
		got := attackWith(t, ts, p)
		if trace := leak(got, p, top); trace != "" {
			t.Errorf("%s reveals %s: %.600s", p, trace, around(got, trace))
		}
		outcomes[strings.ReplaceAll(got, x, "{x}")] = x
	}
	if len(outcomes) > 1 && !hasOwnLinks {
		var all []string
		for got, x := range outcomes {
			all = append(all, x+":\n"+got)
		}
		t.Errorf("%s has %d outcomes: %s", path, len(outcomes), firstDifference(all[0], all[1]))
	}
}

// around returns the text around a trace.
func around(text, trace string) string {
	at := strings.Index(text, trace)
	return text[max(0, at-300):min(len(text), at+300)]
}

// firstDifference returns the first lines that differ.
func firstDifference(a, b string) string {
	other := strings.Split(b, "\n")
	for i, line := range strings.Split(a, "\n")[1:] {
		if i+1 >= len(other) || line != other[i+1] {
			return line + "\n" + other[min(i+1, len(other)-1)]
		}
	}
	return ""
}

// TestBoundaryShellDenied checks that no command of the shell reads what a deny pattern matches, under
// any name, and that what was left out is counted even if the line hides errors.
func TestBoundaryShellDenied(t *testing.T) {
	root := fixture.Make(t, "open", "dir/", "shut/inner/f", "link => .env", "deep/link => ../shut", ".git/")
	for _, name := range []string{".env", "dir/id_rsa", "shut/inner/secret.txt", "-n.pem"} {
		testkit.Must(t, os.WriteFile(root+"/"+name, []byte("HIDDEN\n"), 0o600))
	}
	ts := testkit.Open(t, gander.Options{Roots: []string{root}, Deny: []string{"shut"}})
	for _, p := range []string{
		".env", "link", "dir/id_rsa", "shut", "shut/inner/secret.txt", "deep/link/inner/secret.txt",
		"./-n.pem", ".", "dir", "deep", root + "/.env", "dir/../.env", "deep/../shut/inner",
	} {
		got := attackWith(t, ts, p)
		if trace := leak(got); trace != "" {
			t.Errorf("%s reveals %s: %s", p, trace, around(got, trace))
		}
	}
	for _, line := range []string{
		"cat .env 2>/dev/null | head", "grep -r HIDDEN . 2>/dev/null", "cat ./* ./.e* 2>/dev/null | wc -c",
		"find . -name 'id_*' -exec cat {} + 2>/dev/null", "wc -l dir/* 2>/dev/null", "ls shut 2>/dev/null",
		"x=$(cat .env 2>/dev/null); echo $x", "rg -uu HIDDEN 2>/dev/null", "find shut 2>/dev/null",
	} {
		if got := runLine(t, ts, line); !strings.Contains(got, "access is denied") {
			t.Errorf("%s: the denied files are not counted: %s", line, got)
		}
	}
}

// TestBoundaryShellNames checks that names cannot become options, further arguments or commands.
func TestBoundaryShellNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no name has a line feed")
	}
	root := fixture.Make(t)
	for name := range hostileShellNames() {
		testkit.Must(t, os.WriteFile(root+"/"+name, []byte("text\n"), 0o600))
	}
	ts := testkit.Open(t, gander.Options{Roots: []string{root}})
	for line, want := range map[string]string{
		`for f in *; do cat "./$f"; done | wc -l`: "10\n", `for f in *; do wc -l < "$f"; done | sort -u`: "1\n",
		`find . -type f -print0 | xargs -0 cat | wc -l`: "10\n", `find . -type f -exec cat {} \; | wc -l`: "10\n",
		`find . -type f -exec cat {} + | wc -l`: "10\n", `cat ./* | sort -u`: "text\n",
		`ls -1 | wc -l`: "13\n", `for f in *; do [ -f "$f" ] || echo no; done`: "[no output]",
		`x='$(cat x); rm y'; echo $x`: "$(cat x); rm y\n", `bash -c 'f=*; for g in $f; do :; done'; echo done`: "done\n",
	} {
		if got := runLine(t, ts, line); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(want, "\n") {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// hostileShellNames are names with a meaning in a shell.
func hostileShellNames() map[string]bool {
	return map[string]bool{
		"-n": true, "--help": true, "-exec": true, "a\nb": true, "\n\n": true, "$(echo x)": true, "`id`": true,
		"a;b|c&d": true, "*": true, " x 'y' \"z\" ": true,
	}
}
