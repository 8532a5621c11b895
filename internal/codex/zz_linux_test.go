package codex
import ("testing";"math/rand/v2";"gander/internal/fixture";"fmt";"os/exec";"bufio";"encoding/hex";"os";"strings";"encoding/json";"time")
func TestZZOracle(t *testing.T){
 cmd:=exec.Command("/tmp/w/dialects/rust/target/release/oracle"); in,_:=cmd.StdinPipe(); out,_:=cmd.StdoutPipe(); cmd.Start(); rd:=bufio.NewReaderSize(out,1<<20)
 ask:=func(l string) string { fmt.Fprintln(in,l); s,_:=rd.ReadString('\n'); s=strings.TrimSpace(s); ok,h,_:=strings.Cut(s," "); b,_:=hex.DecodeString(h); if ok=="1"{return string(b)}; return "error: "+string(b)}
 n:=0
 one:=func(seed uint64, r *rand.Rand, root string, list *ListDir, size int, depth int){
  o,l,d:=numbers(r,size+1),numbers(r,size),numbers(r,depth)
  if l>1<<40 && size>4000 {l=30}
   got:=answer(t,list,fmt.Sprintf(`{"dir_path":%q,"offset":%d,"limit":%d,"depth":%d}`,root,o,l,d))
   want:=ask(fmt.Sprintf("ld %s\t%d\t%d\t%d",hex.EncodeToString([]byte(root)),o,l,d)); n++
   if got!=want { t.Fatalf("%d %d %d %d\n%.3000s\n%.3000s",seed,o,l,d,got,want)} }
 for seed:=uint64(0);seed<60;seed++{
  r := rand.New(rand.NewPCG(seed, 177)); size:=1+r.IntN(90)
  root := fixture.Make(t, fixture.Random(r, size, 6)...); list := listDir(open(t, root))
  for range 40 { one(seed,r,root,list,size,6)} }
 for seed:=uint64(0);seed<3;seed++{
  r := rand.New(rand.NewPCG(seed, 178)); size:=12000
  root := fixture.Make(t, fixture.Random(r, size, 2)...); list := listDir(open(t, root))
  for range 30 { one(seed,r,root,list,size,3)}
  time.Sleep(2100*time.Millisecond)
  for range 60 { one(seed,r,root,list,size,3)}
  for k:=range 5 { os.WriteFile(fmt.Sprintf("%s/new%d",root,k),nil,0o644); for range 5 {one(seed,r,root,list,size,3)} } }
 root := t.TempDir(); read := readFile(open(t, root)); path:=root+"/f"
 for seed:=uint64(0);seed<1000;seed++{ r := rand.New(rand.NewPCG(seed, 79)); lines:=1+r.IntN(60); os.WriteFile(path, randomText(r,lines),0o644)
  for range 20 { c:=randomCall(r,path,lines); a,_:=json.Marshal(c); got:=answer(t,read,string(a)); b:=indentation{}; if c.Block!=nil {b=*c.Block}
   m:="s"; if c.Mode=="indentation"{m="i"}; op:=func(p *uint64)string{if p==nil{return "-"};return fmt.Sprint(*p)}; bo:=func(p *bool)string{if or(p,false){return "1"};return "0"}
   want:=ask(fmt.Sprintf("rf %s\t%d\t%d\t%s\t%s\t%d\t%s\t%s\t%s",hex.EncodeToString([]byte(path)),or(c.Offset,1),or(c.Limit,2000),m,op(b.Anchor),or(b.Levels,4),bo(b.Siblings),bo(b.Header),op(b.MaxLines))); n++
   if got!=want { t.Fatalf("%d %s\n%s\n%s",seed,a,got,want)} } }
 t.Log(n)
}
