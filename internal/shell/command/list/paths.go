package list

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/shell/command"
)

// end returns what ends a name in the output.
func end(a command.Arguments) string {
	switch {
	case a.Has("-z"):
		return "\x00"
	case a.Has("-n") && len(a.Operands) == 1:
		return ""
	}
	return "\n"
}

// printed returns a Run that prints texts.
func printed(a command.Arguments, texts []string) command.Run {
	return func(_ context.Context, c *command.Call) int {
		for _, text := range texts {
			c.Out.WriteString(text + end(a))
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
	case hasSuffix, a.Has("-a"):
	case len(names) > 2:
		return nil, a.ExtraOperand(2)
	case len(names) == 2:
		names, suffix = names[:1], names[1]
	}
	var bases []string
	for _, name := range names {
		base := strings.TrimRight(name, "/")
		base = base[strings.LastIndexByte(base, '/')+1:]
		if base == "" && name != "" {
			base = "/"
		}
		if base != suffix {
			base = strings.TrimSuffix(base, suffix)
		}
		bases = append(bases, base)
	}
	return printed(a, bases), nil
}

func prepareDirname(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	var dirs []string
	for _, name := range a.Operands {
		trimmed := strings.TrimRight(name, "/")
		dir := strings.TrimRight(trimmed[:strings.LastIndexByte(trimmed, '/')+1], "/")
		switch {
		case dir != "":
		case strings.HasPrefix(name, "/"):
			dir = "/"
		default:
			dir = "."
		}
		dirs = append(dirs, dir)
	}
	return printed(a, dirs), nil
}

// A resolution says which parts of a path must exist.
type resolution int

const (
	parentExists resolution = iota
	allExists
	anyMissing
)

// resolve returns the absolute path of p without symlinks.
func resolve(ctx context.Context, c *command.Call, p string, r resolution) (string, error) {
	location, err := c.Files.Find(ctx, p)
	if err != nil {
		return "", err
	}
	resolved, err := location.Resolve()
	if err == nil {
		return resolved.Absolute(), nil
	}
	isRoot := path.Clean(p) == "/"
	if r == allExists || isRoot || !errors.Is(err, fs.ErrNotExist) {
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
		return resolve(ctx, c, target, r)
	}
	if r == parentExists {
		r = allExists
	}
	parent, err := resolve(ctx, c, dir, r)
	if err != nil {
		return "", err
	}
	return path.Join(parent, name), nil
}

func prepareRealpath(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	if a.Has("-L") || a.Has("-P") {
		return nil, command.Refuse("realpath -L, -P: not available here; leave it out")
	}
	return func(ctx context.Context, c *command.Call) (status int) {
		find := func(p string) (string, error) {
			if a.Has("-s") {
				return path.Clean(c.Files.Absolute(p)), nil
			}
			return resolve(ctx, c, p, resolutionOf(a))
		}
		relative, hasRelative, err := base(a, "--relative-to", find)
		limit, hasLimit, err2 := base(a, "--relative-base", find)
		if err := errors.Join(err, err2); err != nil {
			c.Failed("", relative+limit, err)
			return 1
		}
		if !hasRelative {
			relative = limit
		}
		for _, name := range a.Operands {
			p, err := find(name)
			if err != nil {
				if !a.Has("-q") {
					c.Failed("", name, err)
				}
				status = 1
				continue
			}
			isInside := !hasLimit || isBelow(p, limit) && isBelow(relative, limit)
			if (hasRelative || hasLimit) && isInside {
				p, _ = filepath.Rel(relative, p)
			}
			c.Out.WriteString(p + end(a))
		}
		return status
	}, nil
}

// base returns the directory of an option. If it cannot be resolved, it is returned as given.
func base(a command.Arguments, option string, find func(string) (string, error)) (
	dir string, ok bool, err error,
) {
	dir, ok = a.Value(option)
	if !ok {
		return "", false, nil
	}
	resolved, err := find(dir)
	if err != nil {
		return dir, true, err
	}
	return resolved, true, nil
}

func isBelow(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

func resolutionOf(a command.Arguments) resolution {
	switch {
	case a.Has("-e"):
		return allExists
	case a.Has("-m"):
		return anyMissing
	}
	return parentExists
}

func prepareReadlink(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, a.MissingOperand()
	}
	isResolved := a.Has("-f") || a.Has("-e") || a.Has("-m")
	return func(ctx context.Context, c *command.Call) (status int) {
		if a.Has("-n") && len(a.Operands) > 1 {
			c.Errorf("ignoring --no-newline with multiple arguments")
		}
		for _, name := range a.Operands {
			var target string
			var err error
			if isResolved {
				target, err = resolve(ctx, c, name, resolutionOf(a))
			} else {
				target, err = linkTarget(ctx, c, name)
			}
			if err != nil {
				if a.Has("-v") {
					c.Failed("", name, err)
				}
				status = 1
				continue
			}
			c.Out.WriteString(target + end(a))
		}
		return status
	}, nil
}

func linkTarget(ctx context.Context, c *command.Call, name string) (string, error) {
	location, err := c.Files.Find(ctx, name)
	if err != nil {
		return "", err
	}
	return location.Readlink()
}
