package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit"
)

// TestContainer runs the server in a container beside an agent's, with the image's last stage and
// the command of docs/mcp.md. Only programs in the network of the agent's container reach it.
func TestContainer(t *testing.T) {
	s := newSetup(t).in(t)
	e := newEngine(t)
	e.build(t)
	e.start(t, "--network=none", "--name", e.agent, e.image, "mcp", "--root", "/", "--http", "9999")
	pid := e.run(t, "inspect", "--format", "{{.State.Pid}}", e.agent)

	server := exec.Command("sh", "-c", e.documented(t))
	server.Dir = s.project
	var stderr strings.Builder
	server.Stderr = &stderr
	testkit.Must(t, server.Start())
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	t.Cleanup(func() {
		_ = server.Process.Kill()
		<-ended
		t.Logf("the server printed %q", stderr.String())
	})

	const fetch = `
		const call = {jsonrpc: "2.0", id: 1, method: "tools/call",
			params: {name: "list_dir", arguments: {}}};
		const headers = {"content-type": "application/json",
			accept: "application/json, text/event-stream"};
		fetch("http://127.0.0.1:8080/mcp", {method: "POST", headers, body: JSON.stringify(call)})
			.then(async r => console.log(await r.text()), e => process.exit(3))`
	var list []byte
	var err error
	for range 100 {
		list, err = exec.Command("nsenter", "--net", "--target", pid, "node", "-e",
			fetch).CombinedOutput()
		if err == nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if err != nil || !strings.Contains(string(list), `/workspace/ (the root): 3 entries\n`) {
		t.Errorf("%v: %s", err, list)
	}
	if out, err := exec.Command("node", "-e", fetch).CombinedOutput(); err == nil {
		t.Errorf("the server can be reached outside of the agent's network: %s", out)
	}
}

// An engine runs containers with podman. Its names are those of one test.
type engine struct{ image, agent, server string }

// limits are set because a process without CAP_SYS_RESOURCE cannot raise its own, as podman does.
const limits = "--ulimit=nofile=1024:1024 --ulimit=nproc=512:512"

// newEngine skips the test if podman cannot run a container here.
func newEngine(t *testing.T) engine {
	t.Helper()
	if _, err := exec.LookPath("podman"); err != nil {
		t.Skipf("needs podman: %v", err)
	}
	name := fmt.Sprint("gander-test-", os.Getpid())
	e := engine{image: "localhost/" + name, agent: name + "-agent", server: name + "-server"}
	t.Cleanup(func() {
		_ = exec.Command("podman", "rm", "--force", "--ignore", e.server, e.agent).Run()
		_ = exec.Command("podman", "rmi", "--force", e.image).Run()
	})
	return e
}

// build makes the image of the last stage of the Dockerfile. The earlier one compiles the program
// in an image that may be unavailable, so the program and the licenses come from here.
func (e engine) build(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile("../../Dockerfile")
	testkit.Must(t, err)
	_, stage, found := strings.Cut(string(text), "\nFROM scratch\n")
	if !found {
		t.Fatal("the last stage of the Dockerfile is not FROM scratch")
	}
	source := regexp.MustCompile(`(?m)^COPY --from=build (.*) \S+$`)
	for _, copied := range source.FindAllStringSubmatch(stage, -1) {
		for file := range strings.FieldsSeq(copied[1]) {
			write(t, filepath.Join(dir, file), "")
		}
	}
	write(t, filepath.Join(dir, "Dockerfile"),
		"FROM scratch\n"+strings.ReplaceAll(stage, "COPY --from=build ", "COPY "))
	compile := exec.Command("go", "build", "-o", filepath.Join(dir, "gander"), "gander/cmd/gander")
	compile.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := compile.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	e.run(t, "build", "--tag", e.image, dir)
}

// run runs podman and returns its trimmed output.
func (e engine) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("podman", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("podman %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// start starts the first container. It skips the test if the kernel does not allow containers.
func (e engine) start(t *testing.T, args ...string) {
	t.Helper()
	all := append([]string{"--runtime=runc", "run", "--detach"}, strings.Fields(limits)...)
	if out, err := exec.Command("podman", append(all, args...)...).CombinedOutput(); err != nil {
		t.Skipf("podman cannot run containers here: %v\n%s", err, out)
	}
}

// documented returns the command in docs/mcp.md, for podman.
func (e engine) documented(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/mcp.md")
	testkit.Must(t, err)
	_, command, _ := strings.Cut(string(page), "\n```sh\ndocker run --network=container:agent ")
	command, _, found := strings.Cut(command, "\n```\n")
	if !found {
		t.Fatal("docs/mcp.md has no container beside an agent")
	}
	command = replaceOnce(t, command, "readonly gander mcp", "readonly "+e.image+" mcp")
	return fmt.Sprintf("exec podman --runtime=runc run %s --name %s --network=container:%s %s",
		limits, e.server, e.agent, command)
}
