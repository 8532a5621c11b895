package boundary

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"gander/internal/cli"
	"gander/internal/confinement"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/program"
)

func TestMain(m *testing.M) {
	if top, ok := os.LookupEnv(attackVariable); ok {
		attackIn(top, os.Args[1:])
		return
	}
	program.Main(m)
}

// attackVariable is an environment variable. In a child that attacks, it is the directory with the
// root.
const attackVariable = "GANDER_TEST_ATTACK"

// TestBoundaryKernel runs each command that reads files, and then attacks with plain system calls
// from the same process. Each attack must fail with the expected error, and succeed if the command
// does not confine the process. The calls of a server must work in both cases.
func TestBoundaryKernel(t *testing.T) {
	needConfinement(t)
	for _, command := range []string{
		"list", "read in", "find", "search a", "why in", "call list_dir {}", "mcp", "mcp --http 0",
	} {
		t.Run(command, func(t *testing.T) {
			tryAttacks(t, command, func(a attack) error { return a.want })
		})
	}
	for _, command := range []string{"list --no-kernel-confinement", "tools"} {
		t.Run(command, func(t *testing.T) {
			tryAttacks(t, command, func(a attack) error { return a.without })
		})
	}
}

// needConfinement skips a test unless this kernel can enforce everything.
func needConfinement(t *testing.T) {
	t.Helper()
	var version int
	holds := confinement.Describe()
	if _, err := fmt.Sscanf(holds, "Landlock ABI %d, seccomp", &version); err != nil || version < 3 {
		t.Skip("this kernel does not confine completely: ", holds)
	}
}

func tryAttacks(t *testing.T, command string, want func(attack) error) {
	top := fixture.Make(t, "root/in", "root/dir/file", "root/out => ../beside", "beside",
		"root/run", "root/moved", "root/removed", "root/empty/", "other/")
	testkit.Must(t, os.Chmod(top+"/root/run", 0o700))
	self, err := os.Executable()
	testkit.Must(t, err)
	cmd := exec.Command(self, append(strings.Fields(command), "--root", top+"/root")...)
	cmd.Env = append(os.Environ(), attackVariable+"="+top)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	testkit.Must(t, err)
	_, report, _ := strings.Cut(string(out), reportMark)
	var got map[string]string
	testkit.Must(t, json.Unmarshal([]byte(report), &got))
	expected := map[string]string{}
	for _, a := range new(attacker).attacks() {
		expected[a.name] = errorName(want(a))
	}
	expected[threadsAttack] = strings.Repeat(expected["open /etc/passwd"]+" ", threads)
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

const (
	// reportMark is printed before the results.
	reportMark = "\nATTACKS "
	// threadsAttack is an attack from threads that were started before.
	threadsAttack = "open on all threads"
	threads       = 8
)

// attackIn runs a command in this process and then attacks. It prints the results as JSON.
func attackIn(top string, command []string) {
	a := newAttacker(top)
	begin := make(chan struct{})
	opened := startThreads(begin)
	run(command)
	results := map[string]string{}
	for _, each := range a.attacks() {
		results[each.name] = errorName(each.try())
	}
	close(begin)
	results[threadsAttack] = opened()
	report, err := json.Marshal(results)
	must(err)
	fmt.Printf("%s%s", reportMark, report)
}

func newAttacker(top string) attacker {
	a := attacker{top: top}
	listener, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	must(err)
	must(unix.Bind(listener, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	must(unix.Listen(listener, 1))
	a.listener, err = unix.Getsockname(listener)
	must(err)
	a.tcp, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	must(err)
	a.udp, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	must(err)
	a.dir, err = unix.Open(top+"/root", unix.O_PATH, 0)
	must(err)
	a.file, err = unix.Open(top+"/beside", unix.O_RDONLY, 0)
	must(err)
	return a
}

// startThreads starts threads that wait until begin is closed, and then open a file outside. The
// returned function waits for their errors.
func startThreads(begin chan struct{}) (opened func() string) {
	var names [threads]string
	var started, ended sync.WaitGroup
	for i := range names {
		started.Add(1)
		ended.Go(func() {
			runtime.LockOSThread()
			started.Done()
			<-begin
			names[i] = errorName(opens(unix.AT_FDCWD, "/etc/passwd", unix.O_RDONLY)) + " "
		})
	}
	started.Wait()
	return func() string {
		ended.Wait()
		return strings.Join(names[:], "")
	}
}

// run runs a command in this process, and stops a server once it listens.
func run(command []string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stderr, messages, err := os.Pipe()
	must(err)
	os.Stderr = messages
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "serving MCP") {
				cancel()
			}
		}
	}()
	if code := cli.Main(ctx, command); code > 1 && ctx.Err() == nil {
		panic(fmt.Sprint("the command exits with ", code))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
