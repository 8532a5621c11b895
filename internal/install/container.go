package install

import (
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A mount shows a directory of the machine in a container.
type mount struct{ source, target string }

// containerDirs returns the directories of the machine that a container serves with the official filesystem server, in the order of
// its mounts. The words are those after docker or podman. The error is errNotOfficial if another image runs, and otherwise says why
// gander cannot take the server's place.
func containerDirs(words []string) ([]string, error) {
	// The documentation of the server calls its image so.
	image := regexp.MustCompile(`^(docker\.io/)?mcp/filesystem([:@].*)?$`)
	at := slices.IndexFunc(words, image.MatchString)
	if at < 1 || words[0] != "run" {
		return nil, errNotOfficial
	}
	mounts, err := mountsOf(words[1:at])
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, m := range mounts {
		for _, served := range words[at+1:] {
			dir := m.source
			if !isWithin(m.target, served) {
				if !isWithin(served, m.target) {
					continue
				}
				dir += strings.TrimPrefix(path.Clean(served), strings.TrimSuffix(m.target, "/"))
			}
			if fi, err := os.Stat(dir); err == nil && !fi.IsDir() {
				return nil, fmt.Errorf("the container serves the file %s, and gander serves directories; mount its directory instead", dir)
			}
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("the container serves no directory of this machine, so gander cannot take its place")
	}
	return dirs, nil
}

// isWithin reports whether a path is a directory or below it, both with slashes.
func isWithin(p, dir string) bool {
	return strings.HasPrefix(path.Clean(p)+"/", strings.TrimSuffix(path.Clean(dir), "/")+"/")
}

// mountsOf returns the mounts that the options of a container make. It fails if there are others than those that show a directory,
// or connect and remove the container.
func mountsOf(options []string) ([]mount, error) {
	var mounts []mount
	for len(options) > 0 {
		option, value, joined := strings.Cut(options[0], "=")
		options = options[1:]
		switch option {
		case "-i", "-t", "-it", "-ti", "--interactive", "--tty", "--rm", "--init":
		case "--mount", "-v", "--volume":
			if !joined {
				if len(options) == 0 {
					return nil, fmt.Errorf("the option %q of the container has no value, so it is not a plain bind of a directory", option)
				}
				value, options = options[0], options[1:]
			}
			m, ok := parseVolume(value)
			if option == "--mount" {
				m, ok = parseMount(value)
			}
			if !ok {
				return nil, fmt.Errorf("gander cannot take the place of a container whose mount %q is not a plain bind of a directory", value)
			}
			mounts = append(mounts, m)
		default:
			return nil, fmt.Errorf("gander cannot take the place of a container with the option %q; remove the option first if it is not needed", option)
		}
	}
	return mounts, nil
}

// parseMount parses the value of --mount: type=bind,src=SOURCE,dst=TARGET, in any order.
func parseMount(value string) (m mount, ok bool) {
	bind := false
	for field := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(field, "=")
		switch key {
		case "type":
			bind = v == "bind"
		case "src", "source":
			m.source = v
		case "dst", "destination", "target":
			m.target = path.Clean(v)
		case "ro", "readonly": // gander only reads
		default:
			return mount{}, false
		}
	}
	return m, bind && m.source != "" && strings.HasPrefix(m.target, "/")
}

// parseVolume parses the value of --volume: SOURCE:TARGET, or with options behind them. The source must be a path, because a name
// is that of a volume.
func parseVolume(value string) (mount, bool) {
	parts := regexp.MustCompile(`^((?:[A-Za-z]:[\\/]|[/~.$]).*?):(/[^:]*)(?::(?:ro|rw|z|Z|,)*)?$`).FindStringSubmatch(value)
	if parts == nil {
		return mount{}, false
	}
	return mount{parts[1], path.Clean(parts[2])}, true
}
