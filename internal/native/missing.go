package native

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/tools/similar"
	"gander/internal/tools/toolerror"
)

// maxNear is the maximum number of paths that an error suggests.
const maxNear = 5

// missing returns the error for a path if none of its readings exists. It names the deepest
// existing directory of wanted, the location of its last reading, and similar names there.
func (c *call) missing(given string, wanted workspace.Location) error {
	root, err := c.locate(c.workspace.Roots()[wanted.Root()])
	if err != nil {
		return c.pathError(given, err)
	}
	message := "there is no " + quoted(given)
	names := strings.Split(wanted.Path(), "/")
	above := func(n int) workspace.Location { return root.Join(path.Join(names[:n]...)) }
	existing := sort.Search(len(names)-1, func(i int) bool {
		_, err := above(i + 1).Stat()
		return err != nil
	})
	parent := above(existing)
	info, err := parent.Stat()
	switch {
	case err != nil:
	case info.Kind != workspace.Directory:
		message += fmt.Sprintf("; %s is a file", c.show(parent))
	case isPattern(names[existing:]):
		message += c.patternText(parent, names[existing:])
	default:
		message += c.nearText(root, parent, names[existing:])
	}
	return toolerror.New(fs.ErrNotExist, message)
}

// nearText returns the clause about paths that a missing one may stand for: those with the same
// name elsewhere below a root, or similar names in parent, its deepest existing directory.
func (c *call) nearText(root, parent workspace.Location, missing []string) (clause string) {
	last := len(missing) - 1
	first := below(c.show(parent), missing[0])
	entry, _ := parent.Join(missing[0]).Lstat()
	isLink := entry.Kind == workspace.Symlink
	switch {
	case isLink:
		clause = ", because " + first + " is a link that cannot be followed"
	case last > 0:
		clause = ", because there is no " + first
	}
	if c.terse {
		return clause
	}
	near := c.elsewhere(root, nameBelow(parent.Path(), strings.Join(missing, "/")))
	alike, err := c.similarNames(parent, missing[0])
	if last > 0 && len(near) > 0 {
		return didYouMean(likelier(near, alike, strings.Join(missing[1:], "/")))
	}
	for _, path := range alike {
		if !slices.Contains(near, path) {
			near = append(near, path)
		}
	}
	switch {
	case isLink:
		return clause
	case err != nil:
		return clause + fmt.Sprintf("; %s: %s", c.named(parent, c.show(parent)), toolerror.PathText(err))
	case len(near) > 0:
		return clause + didYouMean(near[:min(len(near), maxNear)])
	default:
		list := "list_dir " + stringArgument("path", c.show(parent))
		find := "find_files " + stringArgument("pattern", text.Excerpt(missing[last]))
		from := c.show(root)
		if from != "." {
			find += " " + stringArgument("path", from)
		}
		return clause + fmt.Sprintf(`; %s shows what is there, %s looks everywhere`, list, find)
	}
}

// likelier returns those of the paths that are the rest of a missing one below a similar directory,
// or else all.
func likelier(paths, similar []string, rest string) []string {
	var best []string
	for _, dir := range similar {
		path := below(dir, rest)
		if slices.Contains(paths, path) {
			best = append(best, path)
		}
	}
	if best == nil {
		return paths
	}
	return best
}

// similarNames returns the paths of names in a directory that are similar to a missing one.
func (c *call) similarNames(parent workspace.Location, missing string) (near []string, err error) {
	dir, err := parent.Dir()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	near = similar.Words(c.ctx, missing, func(yield func(string) bool) {
		err = dir.Names(c.ctx, func(name []byte, _ workspace.EntryKind) bool {
			return yield(string(name))
		})
	}, maxNear)
	for i, name := range near {
		near[i] = below(c.show(parent), name)
	}
	return near, err
}

// didYouMean returns the clause of an error that suggests names.
func didYouMean(names []string) string {
	last := len(names) - 1
	choice := names[last]
	if last > 0 {
		choice = strings.Join(names[:last], ", ") + " or " + choice
	}
	return "; did you mean " + choice + "?"
}

// isPattern reports whether the names of a missing path are rather a pattern of paths.
func isPattern(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		hasChoice := strings.Contains(name, "{") && strings.Contains(name, ",")
		return hasChoice || strings.ContainsAny(name, "*?")
	})
}

// patternText returns the clause about a path with a pattern below parent: the call that takes it.
func (c *call) patternText(parent workspace.Location, names []string) string {
	pattern := strings.Join(names, "/")
	if len(names) == 1 && parent.Path() != "." {
		pattern = "/" + pattern // not at any depth
	}
	directory, shown := "", c.show(parent)
	if shown != "." {
		directory = stringArgument("path", shown) + " "
	}
	if c.tool == "search_text" {
		return ": path takes no pattern; give " + directory + stringArgument("glob", quoted(pattern))
	}
	return ": path takes no pattern; find_files " + directory +
		stringArgument("pattern", quoted(pattern)) + " finds what matches"
}

// elsewhere returns the paths below a root that end in the same name as a missing path: those that
// have the most names at the end in common with it. It returns none if there are too many of them,
// or if the tree is too large to be sure.
func (c *call) elsewhere(root workspace.Location, missing string) (near []string) {
	wanted := strings.Split(missing, "/")
	name := []byte(wanted[len(wanted)-1])
	most := 0
	complete := c.survey(root, search.FindOptions{Scope: scope(false)}, func(e walk.Entry) {
		if !bytes.EqualFold(e.Name, name) {
			return
		}
		path := e.Path()
		shared := sharedEnd(wanted, strings.Split(path, "/"))
		if shared > most {
			most, near = shared, nil
		}
		if shared == most && len(near) <= maxNear {
			near = append(near, path)
		}
	})
	if !complete || len(near) > maxNear {
		return nil
	}
	near = slices.DeleteFunc(near, func(path string) bool { return !canOpen(root.Join(path)) })
	for i, path := range near {
		near[i] = below(c.show(root), path)
	}
	return near
}

// sharedEnd returns the number of names at the end that two paths have in common, ignoring case.
func sharedEnd(a, b []string) (n int) {
	for n < len(a) && n < len(b) && strings.EqualFold(a[len(a)-1-n], b[len(b)-1-n]) {
		n++
	}
	return n
}

// canOpen reports whether a location can be opened: it is not denied, and no link to the outside.
func canOpen(at workspace.Location) bool {
	dir, err := at.Dir()
	if err == nil {
		dir.Close()
		return true
	}
	file, err := at.File()
	if err == nil {
		file.Close()
	}
	return err == nil
}
