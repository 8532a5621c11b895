package awk

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gander/internal/shell/command"
	"gander/internal/testkit/commandtest"
	"gander/internal/testkit/fixture"
)

const people = `alice 30 paris
bob  25	london
carol 41 rome

dave 7 oslo extra field
eve -3.5 são-paulo
alice 12 berlin
`

const table = "id,name,amount\n1,ann,10.50\n2,\"bo,b\",0x1F\n3,,1e3\n"

// programs are compared with gawk.
var programs = []string{
	`BEGIN { a[log(0)]; for (k in a) print k }`,
	`BEGIN { a["x"]; a[3]; a[-1]; a["01"]; a[100000]; a[1e6]; for (k in a) print k }`,
	`{ print $1 }`,
	`{ print $NF, NF, NR }`,
	`NR==2`,
	`NR>=2 && NR<=3`,
	`/a/,/d/`,
	`!/a/`,
	`END { print NR }`,
	`{ s += $2 } END { print s, s/NR }`,
	`{ c[$1]++ } END { for (k in c) print k, c[k] }`,
	`BEGIN { while (i++ < 20) a[i*37%19] = i; for (k in a) print k, a[k] }`,
	`BEGIN { for (i = 0; i < 300; i++) a["k" i] = i; for (k in a) printf "%s ", k }`,
	`{ $2 = "x"; print; print NF }`,
	`{ sub(/%/, "", $2); print ($2 > 80), ($2 + 0 > 80); $2 = "9"; print ($2 > 10), ($1 > 10) }`,
	`{ $2 = 9; print ($2 > 10); $1 = $1; print ($0 > 10); $3 = $2; NF = 2; NF = 3; print ($3 == 0) }`,
	`{ $0 = "10 9"; print ($0 < 9), ($1 < 9); $0 = 0; print !$0, !$1; getline; print ($0 < 9), !$0 }`,
	`BEGIN { OFMT = "%.2f"; CONVFMT = "%.3f"; $2 = 2.71828; print $2, $2 ""; print; $0 = 3.14159; print }`,
	`{ i = 1; gsub(/[a-z0-9]/, "x", $(i++)); print i, $0; a[1] = "aa"; sub(/a/, "b", a[--i]); print i, a[1] }`,
	`{ print $$2++; print } { $$0++; print } BEGIN { x = 1; print (x)++y, x, y, RSTART, RLENGTH }`,
	`BEGIN { NR = 10; FNR = "4" } { print NR, FNR }`,
	`{ $9 = "end"; print; print NF }`,
	`{ NF = 2; print }`,
	`{ $0 = "p q"; print $2, NF }`,
	`{ print length, length($1), length() }`,
	`{ print substr($0, 3), substr($0, 0, 3), substr($0, -1, 4), substr($1, 2, 2) }`,
	`{ print toupper($1), tolower($3), index($0, "a") }`,
	`{ n = split($0, p, /[ \t]+/); print n, p[1], p[n] }`,
	`{ n = split($0, p, "a"); print n; for (i = 1; i <= n; i++) print i, p[i] }`,
	`{ n = split($1, p, ""); print n, p[1] }`,
	`{ gsub(/a/, "[&]"); print }`,
	`{ n = gsub(/[aeiou]/, "\\&"); print n, $0 }`,
	`{ sub(/^/, "> "); print }`,
	`{ sub(/$/, "."); print }`,
	`NR < 5 { gsub(/x*/, "-"); print }`,
	`match($0, /[0-9]+/) { print RSTART, RLENGTH, substr($0, RSTART, RLENGTH) }`,
	`{ printf "%5d|%-5s|%05.1f|%x|%c|%e|%g\n", $2, $1, $2, $2 < 0 ? 1 : $2, $1, $2, $2 }`,
	`{ printf "%s\n", ($2 > 10) }`,
	`BEGIN { printf "%d %i %o %X %u\n", 3.9, -3.9, 8, 255, 7; printf "%c%c\n", 65, "hello"; printf "%%|%5%|\n" }`,
	`BEGIN { printf "%*d|%-*d|%.*f\n", 5, 42, 5, 42, 2, 3.14159 }`,
	`BEGIN { print 1e6, 1e16, 1e300, 0.1, 1/3, 100000 * 100000, -0 }`,
	`BEGIN { print 1==1.0, "1"==1, "a"<"b", "10"<"9", 10<9, "abc" ~ /b/, "abc" ~ "^a" }`,
	`$2 > 20 { print $1 }`,
	`$2 < "3" { print $1 }`,
	`BEGIN { x["a"]=1; delete x["a"]; print length(x), ("a" in x) }`,
	`BEGIN { a[1,2]=3; for (k in a) { split(k, p, SUBSEP); print p[1], p[2] }; if ((1,2) in a) print "yes" }`,
	`{ print > "/dev/stderr" }`,
	`BEGIN { do { i++; if (i == 3) continue; if (i > 5) break; print i } while (1) }`,
	`BEGIN { for (;;) { if (++n > 3) exit 7 } } END { print n }`,
	`NR==2 { exit } { print } END { print "end" }`,
	`{ next; print } END { print "no" }`,
	`FNR==2 { nextfile } { print FILENAME, $1 }`,
	`BEGIN { print -1 " " -1; print 1 " " 2, 3 4; print 2^3^2, -2^2, 2**3; print 7%3, -7%3; x = 5; x ^= 2; print x++ + ++x }`,
	`BEGIN { print !0, !"a", !"", 1 - -1, 2 - 1 " " 3; print (1>2) ? "a" : "b"; print (1 > 2) }`,
	`BEGIN { $0 = "a b c"; print NF; NF = 5; print; $2 = ""; print }`,
	`BEGIN { print length("são"), toupper("são"), substr("são", 2, 1), index("são", "o") }`,
	`BEGIN { print substr("hello", 2.5), substr("hello", 1.5, 1.5), substr("hello", 0), substr("hello", -1, 3) }`,
	`BEGIN { print int(3.9), int("12abc"), int(-3.9), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0, -1) }`,
	`BEGIN { print "a\tb\\c\"d\/e\101" }`,
	`BEGIN { RS = "" } { print NR ": " $1 "|" $NF }`,
	`BEGIN { RS = ";" } { print NR, $0 }`,
	`BEGIN { FS = "" } { print $1, $2, NF }`,
	`BEGIN { FS = "a" } { print $1 "|" $2 }`,
	`BEGIN { FS = "[ae]+" } { print $1 "|" $2 }`,
	`BEGIN { OFS = "-"; ORS = ";" } { $1 = $1; print }`,
	`BEGIN { if (!("x" in a)) print "none"; if (a["x"] == "" && a["x"] == 0) print "unset"; print length(a) }`,
	`BEGIN { print substr("x", 1, 0) "|" }`,
	`{ print ($1 == "bob") ? "B" : "-" }`,
	`BEGIN { print ENVIRON["X"] }`,
	`BEGIN { print "0x11" + 0, ".5" + 0, "1e2x" + 0, "+5" + 0, "- 5" + 0 }`,
	`/^$/ { print NR } /[[:digit:]]/ { n++ } END { print n }`,
	`$1 ~ /^[a-c]/ && $2 > 20 || /oslo/`,
	`/b.b|c(ar)+ol/`,
	`{ a[NR] = $0 } END { for (i = NR; i > 0; i--) print a[i] }`,
	`!seen[$1]++`,
	`{ print; if (++c > 2) exit }`,
	`{ $1 = ""; print substr($0, 2) }`,
	`length > 15`,
	`{ w += NF; c += length + 1 } END { print NR, w, c }`,
	`BEGIN { printf "%s %s %s\n", "a", "b" }`,
	`BEGIN { printf "%d\n", "0x1A"; printf "%5.2f%%\n", 45.678; printf "%s", 1e20; printf "\n%d\n", 2^53 + 1 }`,
	`BEGIN { print 2^31, 2^53, 2^63, 2^64, 1e15, 123456789012345678 }`,
	`BEGIN { print substr("hello", 2, 1e9), 3 " " -1, "x" }`,
	`BEGIN { print index("abc", ""), length(12345), length(0.1) }`,
	"# comment\n{ print $1 } # more\n\n\nEND { print \"x\"; }",
	"{ x = $1 \\\n  $2; print x }",
	`BEGIN { print "A" < "a", "a" < "B" }`,
	`BEGIN { a = "10"; b = 9; print (a > b), (a "" > b "") }`,
	`{ print $(NF-1 > 0 ? NF-1 : 1) }`,
	`{ print $NF-1, $NF--, NF }`,
	`{ NF -= NF > 1; print }`,
	`BEGIN{x=1;if(x==1)print "one";else print "other"}`,
	`BEGIN { if (1) ; else print "no"; print "ok" }`,
	`BEGIN { for (i in ENVIRON) n++; print (n > 0) }`,
	`{ sum = 0; for (i = 2; i <= NF; i++) sum += $i; print sum }`,
	`BEGIN { print 1/x }`,
	`BEGIN { print substr("abc", 2) substr("abc", 1, 1) }`,
	`{ print NR % 2 ? "odd" : "even" }`,
	`/alice/ { f = 1 } f { print; f = 0 }`,
	`BEGIN { print toupper(substr("word", 1, 1)) substr("word", 2) }`,
	`BEGIN { n = split("a:b:c", x, ":"); for (i = n; i; i--) printf "%s%s", x[i], (i > 1) ? "," : "\n" }`,
	`BEGIN { s = sprintf("%-10s|%+d|% d", "ab", 5, 7); print s, length(s) }`,
	`BEGIN { print length() }`,
	`BEGIN { printf("%s-%s\n", "a", "b") }`,
	`BEGIN { print("a", "b") ; print("c")("d") }`,
	`BEGIN { print "a" "b"; print (1, 2) in x }`,
	`BEGIN { x = "A"; x = x x x; print x; x = y = 3; print x y }`,
	`BEGIN { print 1 == 1 ? "t" : "f" ; print "3" + "4", "3" "4" + 1 }`,
	`BEGIN { printf "%c", 256; printf "%c", 65; printf "%c", "" ; print "" }`,
	`BEGIN { print -3 % 2, 2 ** -1, 5 - 3 - 1, 2 * 3 % 4 }`,
	`BEGIN { print !x + 1, -"3x", +"4" }`,
	`END { print $0, NF }`,
	`BEGIN { if ("a" ~ /A/ || !("b" ~ /b/)) print 1; else print 0 }`,
	`BEGIN { regex = "^[a-z]+$"; print ("abc" ~ regex), ("ab1" ~ regex) }`,
	`{ gsub("a|e", "<&&>"); print }`,
	`{ gsub(/\./, "\\."); print }`,
	`{ gsub("\\.", ","); print }`,
	`BEGIN { printf "%s\n" }`,
	`$1 !~ /a/`,
	`$1!~/^[ab]/{print $1}`,
	`!($1 in s) { s[$1]; print }`,
	`{ if (!($1 in s)) n++; s[$1] } END { print n }`,
	`BEGIN { FS = OFS = "\t" } { $1 = $1 } 1`,
	`{ a[$1] = a[$1] " " $2 } END { print a["alice"] }`,
	`{ print $1","$2 }`,
	`NF { print NF": "$NF }`,
	`{ s = $0; while ((i = index(s, "a")) > 0) { n++; s = substr(s, i + 1) } } END { print n }`,
	`{ x = $1 ~ /a/; print x, !x }`,
	`1,/bob/`,
	`{ gsub(/[ \t]+$/, ""); print $0 "|" }`,
	`{ print substr($0, index($0, $2)) }`,
	`BEGIN { print 1 ? 2 ? "a" : "b" : "c" }`,
	`/[/]/ || /e/ { print NR }`,
	`{ print NR, $0 > "/dev/stderr" }`,
	`NR > 1 && NR < 4 { printf("%s-%d\n", $1, NR) }`,
	`{ m = ($2 > m) ? $2 : m } END { print m }`,
	`{ $2 = $2 + 1; print } NR == 2 { exit 3 }`,
	`{ t[NR % 2] += $2 } END { print t[0], t[1] }`,
	`BEGIN { printf "%s %s\n", "a" "b", 1 + 1 "" 2 }`,
	`$2 ~ "^[0-9]+$" && !/x/ { print $1; next } { print "other" }`,
	`{ print ++i ": " i++ }`,
	`BEGIN { a = "x"; b = a++; print a, b, -a, a b }`,
	`{ $NF = ""; print } END { print NR + 0 }`,
	`{ sub(/[^ ]+/, "[&]"); print } ; END { }`,
	`BEGIN{ for (i = 1; i <= 3; i++) for (j = 1; j <= i; j++) printf "%d%s", j, j == i ? "\n" : " " }`,
	`function f(n) { return n <= 1 ? 1 : n * f(n-1) } BEGIN { print f(10) }`,
	`function g(a, k) { a[k] = 1 } BEGIN { g(z, "q"); for (k in z) print k }`,
	`function h(a, b) { b = a; a = 5; return b } BEGIN { x = 1; print h(x), x }`,
	`BEGIN { while ((getline line < "people") > 0) n++; print n, line }`,
	`NR==1 { getline; print } NR==3 { getline x; print x, $0, NR }`,
	`BEGIN { getline; print $1; getline; print $1 }`,
	`{ print > "/dev/stdout" }`,
	`BEGIN { print ARGV[1] }`,
	`BEGIN { CONVFMT = "%.2g"; x = 3.14159; y = x ""; print y; OFMT = "%.3f"; print x, 17 }`,
	`BEGIN { close("x") }`,
	`BEGIN { while ((getline line < "table") > 0) print ++n, line; print close("table"), close("table") }`,
	`BEGIN { getline < "table"; print $0, NF, NR; getline x < "tab" "le"; print x }`,
	`BEGIN { print getline x < "nope", (getline y < "."), x y }`,
	`BEGIN { print getline, $0, NR, FNR, FILENAME }`,
	`{ print getline, $0, NR }`,
	`{ r = getline x; print r, x, $0, NR, FNR } END { print getline, getline z, $0 }`,
	`BEGIN { getline a[1] < "table"; print a[1]; getline $2 < "table"; print; print NF; getline NF < "table"; print NF }`,
	`BEGIN { getline n < "people"; getline n < "people"; print (n > 3), n; RS = ""; getline p < "people"; print p }`,
	`BEGIN { getline x < "" }`, `BEGIN { while (getline < "table") n++; print n, $0 }`,
	`BEGIN { f = "table"; while ((getline < f) > 0) { n++ } ; print n; if ((getline v < "none") < 0) print "missing" }`,
	`NR == 1 { while ((getline l < "table") > 0) c[n++] = l } { print c[NR % n], $1 }`,
	`BEGIN { print ARGC; for (i = 1; i < ARGC; i++) print i, ARGV[i] }`, `BEGIN { ARGV[1] = "table"; ARGC = 2 } { print }`,
	`BEGIN { ARGV[ARGC++] = "table" } { print FILENAME, FNR, NR }`, `BEGIN { delete ARGV[1] } { print }`,
	`BEGIN { CONVFMT = "%.2f"; a[3.14159]; for (k in a) print k; print (3.14159 ""), length(12.3456), 5 "" }`,
	`BEGIN { OFMT = "%.2e"; print 3.14159, 17, 1e20, "3.14159" + 0, (2.5 ""); OFS = 1.25; print 1, 2 }`,
	`BEGIN { print fflush(), close("x"); print "a" > "/dev/stdout"; printf "%s\n", "b" >> "/dev/stdout" }`,
	`function f(a, i) { for (i = 1; i <= 3; i++) a[i] = i * i; return length(a) } BEGIN { print f(q), q[3], length(q), i }`,
	`function g(b) { b[1]; b[2] } function f(a) { g(a); return length(a) } BEGIN { print f(q), length(q) }`,
	`function f(x) { x[1] = 5; return x[1] } BEGIN { print f(a) f(b), a[1], f(a) }`,
	`function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } BEGIN { print fib(15) }`,
	`function f(n) { return n <= 0 ? 0 : 1 + f(n - 1) } BEGIN { print f(900) }`,
	`function f(a, b) { return a "-" b "|" } BEGIN { print f(), f("x"), f("x", "y") } { print f($1, $2) }`,
	`function f(x) { exit x } BEGIN { f(3); print "no" } END { print "end" }`, `function f(x) { exit x } { f(NR + 1) } END { print NR }`,
	`function f() { next } NR < 3 { f() } { print }`, `function f() { nextfile } { print; f() } END { print NR }`,
	`function f(a) { return a + 1 } BEGIN { x[1] = 1; print f(x) }`, `function f(a) { a[1] = 1 } BEGIN { x = 1; f(x) }`,
	`function f() { next } BEGIN { f() }`, `function f() { return } BEGIN { x = f(); print x == 0, x == "" }`,
	`function f(a) { $0 = "x y"; return NF } NR == 1 { print f(1), $2, NF }`,
	`function f(x, y) { y = x; x = "c"; return y } { print f($1), $1 }`,
	`function f(a) { delete a; a["q"] = 1 } BEGIN { a[1]; f(a); for (k in a) print k }`,
	`function f(a, n) { n = split("a b c", a); return n } BEGIN { print f(z), z[2] }`,
	`function max(a, b) { if (a > b) return a; return b } { m = max(m, $2) } END { print m }`,
	`function f(a) { while (1) { for (i = 0;; i++) if (i > a) return i } } BEGIN { print f(4), i }`,
	`function f(a) { return (1 in a) } BEGIN { print f(u), length(u); u[1]; print f(u) }`,
	`function r(n, s) { if (n == 0) return s; return r(n - 1, s n) } BEGIN { print r(5), r(3, "x") }`,
	"func f(a,\n b)\n{ return a * b }\n\nBEGIN { print f(4,\n 3) }\nfunction g() { }\nEND { print g() \"x\" }",
	`function f(a, b) { b = NF; a[b] = $1; return a[b] } { print f(p), p[NF] }`,
	`BEGIN { split("x\\\\y,\\\\,\\\\\\\\,\\\\&,\\\\\\&,\\\\\\\\&,\\\\\\\\\\&,\\\\\\\\\\\\&,\\&&,\\q\\", r, ","); for (i = 1; i <= 10; i++) { s = "bab"; gsub(/a/, r[i], s); print s } }`,
	`BEGIN { n = split("a\\b\\\\c", s, "\\"); print n, s[1], s[4], split("a\\b", s, /\\/); FS = "\\"; $0 = "a\\b"; print $2; RS = ""; $0 = "a\\b\nc"; print NF }`,
	`BEGIN { FS = "^"; $0 = "a^b"; print NF; RS = ""; FS = "|"; $0 = "a|b]c\nd"; print NF; FS = "]"; $0 = $0; print NF; FS = "t"; $0 = "atb"; print NF }`,
	`{ r = sub(/x/, "y", $7); print r, NF, $0 "|"; $1 = $1; print $0 "|"; gsub(/q/, "", $9); print NF; sub(/x/, "y", v[NR]) } END { print length(v) }`,
	`BEGIN { i = -log(0); n = log(-1); printf "%05.1f|%e|%06x|% f|%-6.1f|%10.3d|%F|%G|%X|%+d|%s|%5i|%9s|%E|%A|%o|%u|", -i, i, i, -n, -i, -i, i, n, i, i, i, n, i, n, i, i, n }`,
	`BEGIN { printf "%u|%x|%o|%d|%u|%x|%#x|%5.3u|%X|%u|%u|%x|", -1, -1, -2, -1, -1.5, -2147483648, -1, -1, -255, -2^63, -2^63 - 4096, -1e300 }`,
	`BEGIN { printf "%o|%x|%u|%d|%x|%8x|%-30u|%.3u|%x|%#x|%d|%i|%030u|", 1e300, 2^64, 2^64, 2^64, 2^63, 2^64, 2^70, 2^70, 2^64 - 2048, 2^53 + 2, 2^63, -2^63, 2^64 }`,
	`BEGIN { printf "%5c|%-5c|%5c|%c|%c|%c|%5c|%c|%c|%5c|%c|%c|%c|%c|", 233, 233, "é", -1, 55296, 0, 8364, 256.7, "", "", 2^32 + 65, -190, 2^31, 57343 }`,
	`BEGIN { n = log(-1); print substr("hello", n) "|" substr("hello", -n) "|" substr("hello", 2, n) "|" substr("hello", n, 2) "|" substr("hello", log(0)) }`,
	`function f(a) { print a; a[1] = 1 } BEGIN { f(z) }`, `BEGIN { print length(x); x[1] }`, `function f(a, b) { a = 1; b[1] = 2 } BEGIN { f(z, z) }`,
	`function f(a) { print a } BEGIN { f(z); z[1] }`, `function f(a) { print a; g(a) } function g(b) { b[1] } BEGIN { f(z) }`,
	`function f(a) { a = 1 } BEGIN { f(z); z[1] }`, `function f(a) { a[1]; return length(a) } BEGIN { print f(y), f(z), length(z) }`,
	"BEGIN { if (0) print 1;\n\nelse print 2; if (0) ; else print 3 ; do x++; while (x < 3); do { x++ }\nwhile (x < 9); print x } ;\n\nEND { print 4 }\n;\n",
	`BEGIN { if (1) if (0) print 1; else print 2; else print 3; printf "%ld|%hd|%5ld|%lhd\n", 4, 5, 6, 7 }`,
	`BEGIN { x = -log(0); print x, x - x, sin(x), cos(x), log(-1), sqrt(-1), -log(-1), x % 2, 5 % x, (-8) ^ (1 / 3), atan2(x - x, 1), exp(x - x) }`,
	`{ seen[$1, $2] } END { print !("bob", 3) in seen, -(1, 2) in seen, 2 (1, 2) in seen ? "y" : "n", !("x") in seen, ("bob", 3) in seen in seen }`,
	`BEGIN { a[1, 2]; print (1, 2) in a, 3; print (1, 2) in a; print (1, 2) in a == 1; x = (1, 3) in a; print x, 1 + (1, 2) in a }`,
	`BEGIN { RS = ""; FS = "[ ]" } { print NF, $2 }`, `BEGIN { RS = ""; FS = "an|e" } { print NF, $2 }`, `BEGIN { RS = ""; FS = "a" } { print NF, $2 }`,
	`/o)/ { print "paren" } { print match($0 "f)", "f)"), "a)" ~ /^a)$/, "a))" ~ "a){2}", ")" ~ "(a|))" }`,
}

// refusedPrograms need what is not available.
var refusedPrograms = []string{
	`BEGIN { print "\é" }`, `/\é/`, "\"\\\x84\"", `BEGIN { FS = "a\\é" } 1`, `BEGIN { print "a" ~ "\\é" }`,
	`{ gsub(/+/, " ") }`, `/^*a/`, `/{1}/`, `/[a-z-_]/`, `{ sub(/a/, "b", $1 $2) }`, `{ (x) = 1 }`,
	`BEGIN { for (i = 0; i < 300; i++) a[i*i*31] = i; for (k in a) printf "%s ", k }`,
	`BEGIN { for (i = 0; i < 90; i++) a[-i*7] = i; a["q"]; for (k in a) printf "%s ", k }`,
	`{ print gensub(/(.)(.)/, "\\2\\1", "g") }`,
	`{ print gensub(/a/, "<\\0>", 2) }`,
	`{ if (match($0, /(o)([a-z])/, m)) print m[0], m[1], m[2], m[1, "start"] }`,
	`BEGIN { RS = "[0-9]+" } { print NR, $1, RT }`,
	`BEGIN { FPAT = "[a-z]+" } { print NF, $1, $2 }`,
	`BEGIN { FIELDWIDTHS = "2 3 2" } { print $1 "|" $2 "|" $3 }`,
	`BEGIN { IGNORECASE = 1 } /ALICE/ { print }`,
	`BEGIN { PROCINFO["sorted_in"] = "@ind_str_asc" } { c[$1] = NR } END { for (k in c) print k, c[k] }`,
	`{ c[$1] += $2 } END { n = asorti(c, d); for (i = 1; i <= n; i++) print d[i], c[d[i]] }`,
	`{ v[NR] = $2 } END { n = asort(v); for (i = 1; i <= n; i++) print v[i] }`,
	`BEGIN { switch ("abc") { case /b/: print "b"; break; case "x": print "x"; default: print "d" } }`,
	`BEGIN { print and(12, 10), or(12, 10), xor(12, 10), lshift(1, 4), rshift(256, 4), strtonum("0x1F"), strtonum("017"), strtonum("12") }`,
	`{ print $1, $2 | "sort" }`,
	`BEGIN { system("ls") }`,
	`BEGIN { "date" | getline d }`,
	`BEGIN { print 0x11 }`,
	`BEGIN { print 010 }`,
	`{ print > "out.txt" }`,
	`{ print`,
	`BEGIN { f(1) }`,
	`BEGIN { x[1][2] = 3 }`, `BEGIN { print 1/0 }`, `BEGIN { x = 1; print x % 0 }`, `BEGIN { CONVFMT = "%d"; print 2.5 "" }`,
	`function f(a) { a[1] = 1 } BEGIN { f(x[1]) }`, `function f(f) { }`, `function f(a, a) { }`, `function f(NR) { }`,
	`function f(a) { return a } BEGIN { print f(1, 2) }`, `function f(a) { return a } BEGIN { f = 1 }`, `BEGIN { print f (1) }
	function f(a) { return a }`, `function f() { } function f() { }`, `return 1`, `function f(a,) { }`, `function length(x) { }`,
	`function f(g) { return g } function g() { }`, `BEGIN { fflush("x") }`,
	`@include "x"`,
	`BEGIN { rand() }`, `BEGIN { printf "%lld", 3 }`, `BEGIN { } ; ;`, `; BEGIN { print 1 }`, `BEGIN { if (0) { print 1 }; else print 2 }`,
	`BEGIN { if (0) print 1; ; else print 2 }`, `BEGIN { do { x++ }; while (x < 3) }`, `BEGIN { printf "%2$s %1$s\n", "a", "b" }`, `BEGIN { printf "%c", 1114112 }`, `BEGIN { RS = ""; FS = "^"; $0 = "a^b"; print NF }`,
	`BEGIN { RS = "ab" } { print }`,
	`{ print strftime("%Y") }`,
	`END { print length(ERRNO) }`, `BEGIN { PREC = 200; ROUNDMODE = "U" }`, `BEGIN { print LINT; mkbool = 1 }`,
	`BEGIN { a[1, 2]; print $(1, 2) in a }`, `/\x5eb/`, `{ print "a" ~ "\\52" }`, `/[\x5d]/`, `/\351/`, `/\134./`,
}

// refusedAssignments cannot be assigned by arguments.
var refusedAssignments = []string{
	"IGNORECASE=1", "FPAT=[a-z]+", "FIELDWIDTHS=2 3", "RT=x", "PROCINFO=1", "PREC=9", "length=1", "if=1",
	"gensub=2", "f=1", "BINMODE=3",
}

// TestPrograms compares programs with gawk.
func TestPrograms(t *testing.T) {
	gawk, err := exec.LookPath("gawk")
	if err != nil {
		t.Skip("gawk is not installed")
	}
	dir := inputs(t)
	for _, program := range programs {
		for _, args := range [][]string{{program, "people"}, {"-F,", program, "table"}, {"-v", "x=7", program}, {"-F", "", program}, {"-Ft", program}} {
			got, status, err := commandtest.Run(t, t.Context(), Commands()[0], dir, people, args...)
			if err != nil {
				t.Errorf("%q: %v", args, err)
				continue
			}
			want, wantStatus := commandtest.Real(t, gawk, dir, people, args...)
			if got != want || status != wantStatus {
				t.Errorf("%q: %q, status %d; gawk: %q, status %d", args, got, status, want, wantStatus)
			}
		}
	}
}

// TestRefusedPrograms checks that nothing is run in another way than gawk runs it.
func TestRefusedPrograms(t *testing.T) {
	dir := inputs(t)
	for _, program := range refusedPrograms {
		_, _, err := commandtest.Run(t, t.Context(), Commands()[0], dir, people, program, "people")
		if !errors.As(err, &command.Refusal{}) {
			t.Errorf("%q is not refused: %v", program, err)
		}
	}
	for _, assignment := range refusedAssignments {
		const program = `function f() { } BEGIN { ARGV[ARGC++] = x } { print }`
		for _, args := range [][]string{
			{"-v", assignment, program}, {program, assignment}, {"-v", "x=" + assignment, program},
		} {
			_, _, err := commandtest.Run(t, t.Context(), Commands()[0], dir, people, args...)
			if !errors.As(err, &command.Refusal{}) {
				t.Errorf("%q is not refused: %v", args, err)
			}
		}
	}
}

func inputs(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	fixture.Write(t, dir, map[string]string{"people": people, "table": table})
	return dir
}

// TestHostilePrograms runs programs that would take all memory or time.
func TestHostilePrograms(t *testing.T) {
	dir := inputs(t)
	for _, program := range []string{
		`BEGIN { while (1) x = x "a" }`, `BEGIN { x = "a"; while (1) x = x x }`, `BEGIN { while (1) a[i++] }`,
		`BEGIN { while (1) { getline x < "table"; close("table") } }`, `BEGIN { printf "%999999999d", 1 }`, `BEGIN { printf "%.999999999f", 1 }`,
		`BEGIN { $999999999 = 1 }`, `BEGIN { NF = 1e9 }`, `BEGIN { x = sprintf("%1000000d", 1); gsub(/ /, x, x) }`,
		`BEGIN { while (1) { i++; s = s "(" i ")" } }`, `BEGIN { while (1) x[i++] = sprintf("%100000d", 1) }`,
		`BEGIN { while (1) "abc" ~ ("a" i++ "{1,200}") }`, `BEGIN { while (1) split(sprintf("%100000d", i++), a, "") }`,
		`BEGIN { print substr("abc", ` + strings.Repeat("(", 5000) + `1` + strings.Repeat(")", 5000) + `) }`,
	} {
		t.Run(fmt.Sprintf("%.40s", program), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, _, err := commandtest.Run(t, ctx, Commands()[0], dir, "", program); err == nil {
				t.Error("the program ended")
			}
		})
	}
}

// FuzzProgram runs any program on any input: it is refused, or ends in bounded time and memory.
func FuzzProgram(f *testing.F) {
	for _, program := range append(programs, refusedPrograms...) {
		f.Add(program, people)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, program, input string) {
		if _, err := parse(program); err != nil && !errors.As(err, &command.Refusal{}) {
			t.Errorf("the error is no refusal: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, _, _ = commandtest.Run(t, ctx, Commands()[0], dir, input, program)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
