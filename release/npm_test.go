package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkPackages starts the server from the npm packages with the command of a client's configuration, on a machine that has Node.js
// but no Go. The packages come from a registry in the test, which has no others.
func checkPackages(t *testing.T, r release) {
	registry := newRegistry(t, r)
	home := t.TempDir()
	environment := []string{"HOME=" + home, "npm_config_cache=" + filepath.Join(home, "cache"), "npm_config_registry=" + registry.URL, "npm_config_update_notifier=false"}
	npx := "npx"
	if runtime.GOOS == "windows" {
		if _, err := exec.LookPath(npx); err != nil {
			t.Skipf("this needs npx: %v", err)
		}
		environment = append(os.Environ(), append(environment, "PATH="+pathWithoutGo())...)
	} else {
		dir := toolbox(t, "node", "npm", "npx", "sh")
		npx, environment = filepath.Join(dir, npx), append(environment, "PATH="+dir)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), npx, args...)
		cmd.Dir, cmd.Env = home, environment
		return cmd
	}
	checkServer(t, command("-y", r.entry.npm(), "mcp", "--root", home))

	// The launcher passes on arguments, standard error and the exit code.
	out, err := command("-y", r.entry.npm(), "--unknown").CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "gander: unknown flag: --unknown") {
		t.Errorf("%v: %s", err, out)
	}

	launcher := registry.packages[r.entry.npm()]
	want := map[string]any{r.entry.npm() + "-" + nodePlatform(): r.version}
	if diff := cmp.Diff(want, launcher["optionalDependencies"]); diff != "" || launcher["mcpName"] != r.entry.Name || launcher["scripts"] != nil {
		t.Errorf("%s\n%v", diff, launcher)
	}
	if npm := r.entry.of("npm"); npm["version"] != launcher["version"] || launcher["version"] != r.version {
		t.Errorf("version %v of the launcher, %v in server.json", launcher["version"], npm["version"])
	}
	for _, name := range []string{"README.md", "LICENSE"} {
		if text := packageFile(t, r.path("example-gander-"+r.version+".tgz"), name); len(text) < 500 {
			t.Errorf("%s is %q", name, text)
		}
	}
	checkMissing(t, r, command)
}

// checkMissing: without its package for the platform, the launcher says which is missing.
func checkMissing(t *testing.T, r release, command func(...string) *exec.Cmd) {
	t.Helper()
	install := command("--yes", "--package="+r.entry.npm(), "--", "gander", "--version")
	install.Env = append(install.Env, "npm_config_omit=optional", "npm_config_cache="+t.TempDir())
	out, err := install.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the package "+r.entry.npm()+"-"+nodePlatform()) {
		t.Errorf("without the package for the platform: %v: %s", err, out)
	}
}

func nodePlatform() string {
	system, arch := here().node()
	return system + "-" + arch
}

// pathWithoutGo returns the PATH without the directories that contain the go command.
func pathWithoutGo() string {
	dirs := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		_, err := exec.LookPath(filepath.Join(dir, "go"))
		return err == nil
	})
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// A registry serves the npm packages of a release as npm's registry does.
type registry struct {
	*httptest.Server
	packages map[string]document // package.json by name
}

func newRegistry(t *testing.T, r release) *registry {
	t.Helper()
	g := &registry{packages: map[string]document{}}
	files := http.FileServer(http.Dir(r.dist))
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if path.Ext(q.URL.Path) == ".tgz" {
			files.ServeHTTP(w, q)
			return
		}
		p := g.packages[strings.TrimPrefix(q.URL.Path, "/")]
		if p == nil {
			http.NotFound(w, q)
			return
		}
		version := p["version"].(string)
		reply, err := json.Marshal(document{"name": p["name"], "dist-tags": document{"latest": version}, "versions": document{version: p}})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(reply)
	}))
	t.Cleanup(g.Close)
	archives, err := filepath.Glob(r.path("*.tgz"))
	if err != nil || len(archives) != 2 {
		t.Fatalf("%v: %v", err, archives)
	}
	for _, a := range archives {
		p := packageJSON(t, a)
		data, err := os.ReadFile(a)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(data)
		p["dist"] = document{"tarball": g.URL + "/" + filepath.Base(a), "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		g.packages[p["name"].(string)] = p
	}
	return g
}

// packageJSON returns the package.json of a package.
func packageJSON(t *testing.T, archive string) document {
	t.Helper()
	var p document
	text := packageFile(t, archive, "package.json")
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return p
}

// packageFile returns a file of a package.
func packageFile(t *testing.T, archive, name string) []byte {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(z); ; {
		header, err := files.Next()
		if err != nil {
			t.Fatalf("%s: no %s: %v", archive, name, err)
		}
		if header.Name != "package/"+name {
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}
