package shell

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
)

// mostMemory is the memory by which the process may grow for a script, in bytes.
const mostMemory = 64 << 20

// growers are lines that need ever more memory, time, depth or goroutines.
func growers() []string {
	return []string{
		`x=a; while :; do x=$x$x; done`,
		`x=aaaaaaaa; while :; do x=${x//a/$x}; done`,
		`x=a; for i in {1..40}; do x=${x/a/$x$x}; done; echo ${#x}`,
		`echo {1..999999999}`, `echo {1..99999}{1..99999}`, `echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}`,
		`printf %999999999d 1`, `printf '%s%s' $(printf '%0500000d' 1 2 3 4 5 6 7 8)`, `printf '%.999999999f' 1`,
		`x=$(while :; do echo aaaaaaaaaaaaaaaa; done)`, `x=$(printf '%3000000s'); y=${x// /$x}`,
		`f() { f; }; f`, `f() { f | f; }; f`, `f() { x=$(f); }; f`, `f() { (f); }; f`, `f() { cat <(f); }; f`,
		`x='bash -c "$x"'; export x; bash -c "$x"`, `f() { eval f; }; f`, `while :; do eval "f$((n++))() { :; }"; done`, `while :; do eval "f() { g$((n++))() { :; }; }"; f; done`,
		`x=$(printf 'x%.0s' {1..7000}); while :; do eval "f$((n++))() { :; }; : $x"; done`, `x='eval "$x"'; eval "$x"`, `x='. /dev/stdin <<< "$x"'; eval "$x"`,
		`x="eval \"\$x\"; $(printf '%15000s')"; eval "$x"`, `seq 999999999999 | sed -n 'R a.txt'`, `seq 999999999999 | sed 'r a.txt' | sed 'y/1/2/'`,
		`set -- aaaaaaaa; while :; do set -- "$@" "$@"; done`, `set -- $(printf '%1000000s' | cat)`,
		`read -d '' x < <(while :; do echo yyyyyyyy; done)`,
		`while :; do echo yyyyyyyyyyyyyyyy; done | while read -d ' ' x; do :; done`,
		`while :; do while :; do :; done; done`, `for ((;;)); do :; done`, `until false; do true; done`,
		`while :; do :; done | while :; do :; done | while :; do :; done`,
		`x=x; echo $((x))`, `x=y; y=x; ((x))`, `x='1+x'; echo $((x))`,
		`x=$(printf '%2000000s'); case $x in *a*b*c*d) ;; esac; echo ${x##*a*b} ${x//*a*b/} ${x%%a*b*}`,
		`x=$(printf '%9000s'); x=${x// /a*}; case aaaaaaaaaaaaaaaaa in $x) ;; esac`,
		`x=$(printf '%2000000s'); [[ $x =~ (a|b|c)*d ]]; [[ $x =~ ( *)*x ]]; [[ a =~ ${x// /(} ]]`,
		`echo */../*/../*/../*/../*/../*/../*/../*/../*/../*/../*/../*/../*/../*/../*/../*`,
		`IFS=; while :; do x="$* $x"; done`, `x=$(printf '%2000000s' | cat); for i in ${x// /a b }; do :; done`,
		`cat <<E
$(while :; do echo doc; done)
E
`, `while read x; do echo $x; done < <(while :; do echo z; done) | while read y; do :; done`,
		`timeout 100 bash -c 'while :; do :; done'`, `timeout 0.01 bash -c 'x=a; while :; do x=$x$x; done'`,
		`cd sub; while :; do cd deep; cd ..; done`, `while :; do [ -f a.txt ]; done`, `while :; do x=$(<a.txt); done`,
		`while :; do cat a.txt; done | cat | cat | cat >/dev/null`, `while :; do head -1 a.txt | tail -1; done`,
		`echo -e "$(printf '%5000000s')"`,
		`x=$(printf '%4000000s'); x=${x^^}; y=${x: 0:3999999}; z=${x#?}; echo "$z"`, `x=$(printf '%4000000s'); echo $x$x$x$x$x | wc -c`,
		`seq 1000000000000 | tac`, `seq 999999999999 | sort`, `seq 999999999999 | tac`, `seq 999999999999 | head -c 100000000 | wc -c`, `while :; do echo $(seq 100000); done | sort -u`,
		`awk 'BEGIN{while(1)x=x"a"}'`, `awk 'BEGIN{x="a";while(1)x=x x}'`, `awk 'BEGIN{while(1)a[i++]=i}'`,
		`echo a | sed ':a;s/^/xx/;ta'`, `seq 999999999999 | sed 'H;d'`, `seq 999999999999 | sed -n 'H;${x;p}'`, `seq 999999999999 | xargs`, `seq 999999999999 | tr -d '\n' | cut -c1`,
		`seq 999999999999 | tr -d '\n' | grep -c x`, `seq 999999999999 | tr -d '\n' | sort | uniq -c`, `seq 999999999999 | tr -d '\n' | head -1`, `find / . -exec echo {} +`,
		`awk 'function f(n){return f(n+1)} BEGIN{f(1)}'`, `awk 'function f(a){a[1]=1;f(b)} BEGIN{f(x)}'`,
		`awk 'BEGIN{while((getline l<"a.txt")>=0)n++}'`, `awk 'BEGIN{for(;;)if((getline l<("./" ++n))>0)print}'`, `awk 'BEGIN{ARGC=1e18}{print}'`,
		"awk 'function f(n){return 1+" + strings.Repeat("1+", 6000) + "f(n+1)} BEGIN{f(1)}'",
		`awk 'BEGIN{NF=576460752303423488}'`, `awk 'BEGIN{$1152921504606846975=1}'`,
		`awk 'BEGIN{x=sprintf("%4000000s","a");for(;;)y=toupper(x)}'`,
		`awk 'BEGIN{x=sprintf("%4000000d",1);for(;;)y=x+x+x+x+x+x+x+x+x}'`,
		`awk 'BEGIN{x=sprintf("%2000000s","");gsub(/ /,"a ",x);$0=x;print NF;split(x,a)}'`,
		`awk 'BEGIN{for(;;){$200000=1;n=$0}}'`, `printf '%1500000s' | sed 's/ /a /g' | paste -sd,`,
		`{ printf '%100000s' | sed 's/ /a /g'; seq 1000000; } | sort -k2,2`,
		`seq 10000000 | rg -B 999 x`, `rg --files -g '['`, `rg --files -g "$(printf '%5000d' 1)"`,
		`diff <(seq 999999999999 | head -1000000) <(seq 2 9999999 | head -1000000)`,
	}
}

// shallow are lines that nest as deep as they may, or nearly.
func shallow() []string {
	return []string{
		"echo " + strings.Repeat("$(", 60) + "echo x" + strings.Repeat(")", 60),
		strings.Repeat("( ", 100) + ":" + strings.Repeat(")", 100),
		strings.Repeat("{ ", 100) + ":" + strings.Repeat(";}", 100),
		"echo $((" + strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200) + "))",
		"[[ " + strings.Repeat("! ", 200) + "x ]]", strings.Repeat("true && ", 100) + "true",
		strings.Repeat("if :; then ", 90) + ":" + strings.Repeat("; fi", 90), strings.Repeat("cat | ", 50) + "cat",
	}
}

// deep are lines that nest deeper than they may.
func deep() []string {
	return []string{
		`echo ` + strings.Repeat("$(", 300) + "echo x" + strings.Repeat(")", 300),
		strings.Repeat("( ", 900) + ":" + strings.Repeat(")", 900), strings.Repeat("{ ", 900) + ":" + strings.Repeat(";}", 900),
		"echo $((" + strings.Repeat("(", 900) + "1" + strings.Repeat(")", 900) + "))", "echo $((" + strings.Repeat("- ", 7000) + "1))",
		"[[ " + strings.Repeat("! ", 5000) + "x ]]", strings.Repeat("! ", 5000) + "true", strings.Repeat("true && ", 1900) + "true",
		strings.Repeat("if :; then ", 900) + ":" + strings.Repeat("; fi", 900), strings.Repeat("cat | ", 200) + "cat",
	}
}

// nested returns a line inside other constructs.
func nested(r *rand.Rand, line string) string {
	forms := []string{
		"( %s )", "{ %s\n} | cat", "x=$(%s)", "if %s\nthen :; fi", "cat <(%s)", "g() { %s\n}; g", "! { %s\n}",
		"{ %s\n} 2>&1 | head -1", "%s\n", "for i in 1 2; do %s\ndone", "true && { %s\n} || echo no", "{ %s\n} >/dev/null",
		"case x in x) %s\nesac", "echo \"$(%s)\" | { read a; read b; }", "set -e; set -o pipefail; %s",
	}
	for range r.IntN(4) {
		line = fmt.Sprintf(forms[r.IntN(len(forms))], line)
	}
	return line
}

// grown calls f, and returns by how much the memory of the process has grown at most.
func grown(f func()) uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	read := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64() - sample[1].Value.Uint64()
	}
	runtime.GC()
	before, most := read(), uint64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			most = max(most, read())
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	<-ended
	return most - min(most, before)
}

// TestHostileLines checks that lines that need ever more end at their time limit or before, with
// little memory, and that nothing of them goes on.
func TestHostileLines(t *testing.T) {
	s := newTestShell(t, tree(t))
	r := rand.New(rand.NewPCG(1, 1))
	const limit = 60 * time.Millisecond
	for _, line := range slices.Concat(growers(), shallow()) {
		checkHostile(t, s, line, limit, false)
		checkHostile(t, s, nested(r, line), limit, false)
	}
	for _, line := range deep() {
		checkHostile(t, s, line, limit, true)
		checkHostile(t, s, nested(r, line), limit, true)
	}
}

func checkHostile(t *testing.T, s *Shell, line string, limit time.Duration, isRefused bool) {
	t.Helper()
	goroutines := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	start := time.Now()
	var result Result
	size := grown(func() {
		result = s.Run(ctx, Script{Text: line, Out: io.Discard, Err: io.Discard})
	})
	const slack = 3 * time.Second // for a busy machine
	if took := time.Since(start); took > limit+slack {
		t.Errorf("%.200q took %v", line, took)
	}
	if size > mostMemory {
		t.Errorf("%.200q: the process has grown by %d MiB", line, size>>20)
	}
	if (result.Refused != nil) != isRefused {
		t.Errorf("%.200q: refused is %v", line, result.Refused)
	}
	if result.Stopped != nil && strings.Contains(result.Stopped.Error(), "internal error") {
		t.Errorf("%.200q: %v", line, result.Stopped)
	}
	for wait := time.Now(); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Since(wait) > slack {
			t.Fatalf("%.200q goes on: %d goroutines, before %d", line, runtime.NumGoroutine(), goroutines)
		}
	}
}

// FuzzScript checks that no script panics, or goes on after its time.
func FuzzScript(f *testing.F) {
	for _, line := range slices.Concat(growers(), shallow(), deep()) {
		f.Add(line)
	}
	for _, name := range []string{"testdata/language.cases", "testdata/odd.cases"} {
		for _, c := range readCases(f, name) {
			f.Add(c.script)
		}
	}
	s := newTestShell(f, tree(f))
	f.Fuzz(func(t *testing.T, script string) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		var out bytes.Buffer
		r := s.Run(ctx, Script{Text: script, Out: io.Discard, Err: &out})
		if r.Stopped != nil && strings.Contains(r.Stopped.Error(), "internal error") {
			t.Errorf("%q: %v", script, r.Stopped)
		}
	})
}
