package list

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gander/internal/files/workspace"
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

// sampled is how much of a file the command file looks at, in bytes.
const sampled = 1 << 20

// prepareFile prepares file. The real one knows thousands of kinds, and takes some texts for source
// code by single words. This one knows the kinds that are certain, and refuses the others.
func prepareFile(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, command.UsageError("missing operand")
	}
	widest := 0
	for _, name := range a.Operands {
		widest = max(widest, utf8.RuneCountInString(name))
	}
	return func(ctx context.Context, c *command.Call) int {
		c.Account.Grab(sampled)
		sample := make([]byte, sampled)
		for _, name := range a.Operands {
			text, err := fileText(ctx, c, name, sample)
			switch {
			case err != nil:
				text = fmt.Sprintf("cannot open `%s' (%s)", name, command.Message(err))
			case text == "":
				command.Stop("file %s: its kind is not known here; use head, xxd or read_file", name)
			}
			if !a.Has("-b") {
				padding := strings.Repeat(" ", widest-utf8.RuneCountInString(name))
				if name == "-" {
					name = "/dev/stdin"
				}
				text = name + ": " + padding + text
			}
			c.Out.Line([]byte(text))
		}
		return 0
	}, nil
}

// fileText says what a path names, or returns "" if it is not known.
func fileText(ctx context.Context, c *command.Call, name string, sample []byte) (string, error) {
	if name == "-" {
		n, err := io.ReadFull(c.In, sample)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return "", err
		}
		return contentText(sample[:n]), nil
	}
	d, err := describe(ctx, c, name, false)
	if err != nil {
		return "", err
	}
	switch d.Kind {
	case workspace.Directory:
		return "directory", nil
	case workspace.Symlink:
		text := "symbolic link to " + readlink(ctx, c, name)
		if _, err := describe(ctx, c, name, true); err != nil {
			text = "broken " + text
		}
		return text, nil
	case workspace.Regular:
	default:
		return typeText(d), nil
	}
	f, err := c.Files.File(ctx, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	n, err := f.ReadAt(sample, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return contentText(sample[:n]), nil
}

// contentText says what a file contains, or returns "".
func contentText(b []byte) string {
	text := bytes.TrimLeft(b, " \t\r\n")
	isJSON := len(text) > 0 && (text[0] == '{' || text[0] == '[')
	switch {
	case len(b) == 0:
		return "empty"
	case len(b) == 1:
		return "very short file (no magic)"
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return pngText(b)
	case isJSON && json.Valid(b):
		return "JSON text data"
	}
	return ""
}

func pngText(b []byte) string {
	if len(b) < 29 {
		return ""
	}
	colors := map[byte]string{
		0: " grayscale", 2: "/color RGB", 3: " colormap", 4: " gray+alpha", 6: "/color RGBA",
	}
	laced := map[byte]string{0: "non-interlaced", 1: "interlaced"}
	return fmt.Sprintf("PNG image data, %d x %d, %d-bit%s, %s", binary.BigEndian.Uint32(b[16:]),
		binary.BigEndian.Uint32(b[20:]), b[24], colors[b[25]], laced[b[28]])
}
