package main

import (
	"archive/tar"
	"bytes"
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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkPackages starts the server from the npm packages with the command of a client's
// configuration, on a machine that has Node.js but no Go. The packages come from a registry in the
// test, which has no others.
func checkPackages(t *testing.T, r release) {
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skipf("this needs npx: %v", err)
	}
	registry, packages := startRegistry(t, r)
	home := t.TempDir()
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), npx, args...)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "HOME="+home, "npm_config_registry="+registry,
			"npm_config_cache="+filepath.Join(home, "cache"), "npm_config_update_notifier=false")
		if runtime.GOOS != "windows" { // without Go
			cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(npx)+":/usr/bin:/bin")
		}
		return cmd
	}
	name := r.entry.npm()
	checkServer(t, command("-y", name, "mcp", "--root", home))

	// The launcher passes on arguments, standard error and the exit code.
	out, err := command("-y", name, "--unknown").CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), "unknown flag: --unknown") {
		t.Errorf("%v: %s", err, out)
	}

	system, arch := here().node()
	platform := name + "-" + system + "-" + arch
	want := document{
		"name": name, "version": r.version, "mcpName": r.entry.Name, "scripts": nil,
		"optionalDependencies": document{platform: r.version},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, packages[name][key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	files := unpack(t, r.path("example-gander-"+r.version+".tgz"))
	for _, file := range []string{"package/README.md", "package/LICENSE"} {
		if len(files[file]) < 500 {
			t.Errorf("%s is %q", file, files[file])
		}
	}

	// Without the package for the platform, the launcher names it.
	install := command("--yes", "--package="+name, "--", "gander", "--version")
	install.Env = append(install.Env, "npm_config_omit=optional", "npm_config_cache="+t.TempDir())
	out, err = install.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the package "+platform) {
		t.Errorf("%v: %s", err, out)
	}
}

// startRegistry serves the npm packages of a release as npm's registry does. It returns the URL,
// and package.json by name.
func startRegistry(t *testing.T, r release) (url string, packages map[string]document) {
	t.Helper()
	packages = map[string]document{}
	files := http.FileServer(http.Dir(r.dist))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		p := packages[strings.TrimPrefix(q.URL.Path, "/")]
		switch {
		case path.Ext(q.URL.Path) == ".tgz":
			files.ServeHTTP(w, q)
			return
		case p == nil:
			http.NotFound(w, q)
			return
		}
		version := p["version"].(string)
		reply, err := json.Marshal(document{
			"name": p["name"], "dist-tags": document{"latest": version},
			"versions": document{version: p},
		})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(reply)
	}))
	t.Cleanup(server.Close)
	archives, err := filepath.Glob(r.path("*.tgz"))
	if err != nil || len(archives) != 2 {
		t.Fatalf("%v: %v", err, archives)
	}
	for _, a := range archives {
		var p document
		must(t, json.Unmarshal(unpack(t, a)["package/package.json"], &p))
		data, err := os.ReadFile(a)
		must(t, err)
		sum := sha512.Sum512(data)
		p["dist"] = document{
			"tarball":   server.URL + "/" + filepath.Base(a),
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		packages[p["name"].(string)] = p
	}
	return server.URL, packages
}

// unpack returns the files of an npm package.
func unpack(t *testing.T, archive string) map[string][]byte {
	t.Helper()
	data, err := os.ReadFile(archive)
	must(t, err)
	z, err := gzip.NewReader(bytes.NewReader(data))
	must(t, err)
	files := map[string][]byte{}
	for entries := tar.NewReader(z); ; {
		header, err := entries.Next()
		if err == io.EOF {
			return files
		}
		must(t, err)
		files[header.Name], err = io.ReadAll(entries)
		must(t, err)
	}
}
