package list

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/shell/command"
)

// printLines returns a Run that prints lines.
func printLines(lines []string) command.Run {
	return func(_ context.Context, c *command.Call) int {
		for _, line := range lines {
			c.Out.WriteString(line + "\n")
		}
		return 0
	}
}

func prepareBasename(a command.Arguments) (command.Run, error) {
	suffix, hasSuffix := a.Value("-s")
	names := a.Operands
	switch {
	case len(names) == 0:
		return nil, a.MissingOperand()
	case hasSuffix, a.Has("-a"), len(names) == 1:
	case len(names) > 2:
		return nil, a.ExtraOperand(2)
	default:
		names, suffix = names[:1], names[1]
	}
	var bases []string
	for _, name := range names {
		base := name
		if name != "" {
			base = path.Base(name)
		}
		if base != suffix {
			base = strings.TrimSuffix(base, suffix)
		}
		bases = append(bases, base)
	}
	return printLines(bases), nil
}

func prepareDirname(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	var dirs []string
	for _, name := range a.Operands {
		trimmed := strings.TrimRight(name, "/")
		dir := strings.TrimRight(trimmed[:strings.LastIndexByte(trimmed, '/')+1], "/")
		if dir == "" && strings.HasPrefix(name, "/") {
			dir = "/"
		}
		dirs = append(dirs, cmp.Or(dir, "."))
	}
	return printLines(dirs), nil
}

// resolve returns the absolute path of p without symlinks. Unless mustExist, the last component can
// be missing.
func resolve(ctx context.Context, c *command.Call, p string, mustExist bool) (string, error) {
	location, err := c.Files.Find(ctx, p)
	if err != nil {
		return "", err
	}
	resolved, err := location.Resolve()
	if err == nil {
		return resolved.Absolute(), nil
	}
	isRoot := path.Clean(p) == "/"
	if mustExist || isRoot || !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	absolute := strings.TrimRight(c.Files.Absolute(p), "/")
	at := strings.LastIndexByte(absolute, '/')
	dir, name := absolute[:at+1], absolute[at+1:]
	// A symlink without a target is followed as far as there is something.
	if target := readlink(ctx, c, absolute); target != "" {
		if !strings.HasPrefix(target, "/") {
			target = dir + target
		}
		return resolve(ctx, c, target, false)
	}
	parent, err := resolve(ctx, c, dir, true)
	if err != nil {
		return "", err
	}
	return path.Join(parent, name), nil
}

func prepareRealpath(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		to, isRelative := a.Value("--relative-to")
		base, err := resolve(ctx, c, to, a.Has("-e"))
		if isRelative && err != nil {
			c.Failed("", to, err)
			return 1
		}
		for _, name := range a.Operands {
			p, err := resolve(ctx, c, name, a.Has("-e"))
			if err != nil {
				if !a.Has("-q") {
					c.Failed("", name, err)
				}
				status = 1
				continue
			}
			if isRelative {
				p, _ = filepath.Rel(base, p)
			}
			c.Out.WriteString(p + "\n")
		}
		return status
	}, nil
}

func prepareReadlink(a command.Arguments) (command.Run, error) {
	switch {
	case len(a.Operands) == 0:
		return nil, a.MissingOperand()
	case a.Has("-n") && len(a.Operands) > 1:
		return nil, command.Refuse("readlink -n: only with one name")
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		for _, name := range a.Operands {
			target := readlink(ctx, c, name)
			if a.Has("-f", "-e") {
				target, _ = resolve(ctx, c, name, a.Has("-e"))
			}
			switch {
			case target == "":
				status = 1
			case a.Has("-n"):
				c.Out.WriteString(target)
			default:
				c.Out.WriteString(target + "\n")
			}
		}
		return status
	}, nil
}
