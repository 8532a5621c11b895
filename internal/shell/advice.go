package shell

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gander/internal/shell/command"
	"gander/internal/tools/similar"
)

// unknown refuses a command that is not here, and says what to use instead.
func (s *Shell) unknown(name string) error {
	advice := instead(name)
	if advice == "" {
		advice = s.nearest(name)
	}
	return command.Refuse("%s: not available here; %s", name, advice)
}

// nearest names the command that resembles a name most.
func (s *Shell) nearest(name string) string {
	names := slices.Concat(slices.Sorted(maps.Keys(s.commands)), slices.Sorted(maps.Keys(s.builtins)))
	near := similar.Words(context.Background(), name, slices.Values(names), 1)
	if len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return fmt.Sprintf("no program is started; use one of the %d commands of the shell", len(names))
}

// instead returns what to use in place of a well-known program, or "".
func instead(name string) string {
	switch name {
	case "git":
		return "read the working files, for example with rg; there is no history"
	case "python", "python3", "perl", "ruby", "node":
		return "no program is started; use awk, sed or grep"
	case "jq":
		return "use grep -o, sed or awk"
	case "fd", "fdfind":
		return "use find, or rg --files"
	case "bat", "batcat":
		return "use cat -n, or sed -n"
	case "pdftotext", "pdftohtml", "docx2txt", "antiword", "pandoc", "nbconvert", "jupyter":
		return "the tool read_file reads documents as text"
	case "column", "fold", "fmt", "pr", "expand", "unexpand", "join", "split", "csplit", "numfmt":
		return "use awk, cut or sed"
	case "base64", "base32":
		return "use xxd -p or od"
	case "shasum":
		return "use sha1sum or sha256sum"
	case "cmp":
		return "use diff -q"
	case "curl", "wget", "ssh", "nc":
		return "there is no network"
	case "rm", "mv", "cp", "mkdir", "touch", "chmod", "chown", "ln", "dd", "truncate", "mktemp",
		"patch", "rmdir", "install", "rsync", "tee":
		return "nothing can be written or changed"
	case "less", "more", "vim", "vi", "nano":
		return "use cat, head or sed -n"
	case "exec", "trap", "kill", "wait", "jobs", "bg", "fg", "disown", "nohup", "ulimit", "umask":
		return "the shell runs in the server, without processes"
	case "builtin":
		return "write the commands themselves"
	case "mapfile", "readarray", "shopt":
		return "there are no arrays and options of globs; use for, while read or find"
	case "go", "make", "npm", "npx", "yarn", "pnpm", "cargo", "docker", "pytest", "pip", "gcc":
		return "no program is started; read the files"
	}
	return ""
}
