package list

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

const lsOptions = "-1, -a --all, -A --almost-all, -d --directory, -F --classify?, " +
	"-h --human-readable, -l, -n --numeric-uid-gid, -p, -r --reverse, -R --recursive, -S, -t, " +
	"--color?, --full-time, --group-directories-first, --time-style="

// A lister is an ls with its options.
type lister struct {
	owners
	command.Arguments
	long        bool
	mark, sort  string // of the options -F and -p, and of -t and -S, that which counts
	recent, old string // layouts of times

	c       *command.Call
	ctx     context.Context // of the run
	status  int
	printed bool
	now     time.Time
}

// An item is an entry that ls or tree shows.
type item struct {
	child
	target     string // of a symlink, if it is shown
	targetMode uint32 // of a symlink, if it is marked
	isDir      bool   // a directory or, where that matters, a symlink to one
}

func (o owners) prepareLs(a command.Arguments) (command.Run, error) {
	l := lister{
		owners: o, Arguments: a, long: a.Has("-l", "-n", "--full-time"), mark: a.Last("-F", "-p"),
		sort: a.Last("-t", "-S"), recent: "%b %e %H:%M", old: "%b %e  %Y",
	}
	for _, o := range a.Options {
		if err := l.set(o); err != nil {
			return nil, err
		}
	}
	if l.long && slices.Contains(a.Operands, null) {
		return nil, command.Refuse("ls -l %s: devices are not available here; leave it out", null)
	}
	return func(ctx context.Context, c *command.Call) int {
		l.ctx, l.c, l.now = ctx, c, time.Now()
		l.list(a.OperandsOr("."))
		return l.status
	}, nil
}

// set applies an option with a value, or refuses one that is not available.
func (l *lister) set(o command.Option) error {
	switch o.Name {
	case "-F":
		if o.Value != "" {
			return command.Refuse("ls --classify=%s: not available here; use -F", o.Value)
		}
	case "--time-style", "--full-time":
		layouts := map[string]string{
			"": "%F %T.%N %z", "full-iso": "%F %T.%N %z", "long-iso": "%F %H:%M",
		}
		layout, isKnown := layouts[o.Value]
		if own, isLayout := strings.CutPrefix(o.Value, "+"); isLayout {
			layout, isKnown = own, true
		}
		isNamed := o.Value != "" || o.Name == "--full-time"
		if !isKnown || !isNamed || strings.Contains(layout, "\n") {
			return command.Refuse("ls --time-style=%s: not available here; use full-iso or a +FORMAT",
				o.Value)
		}
		l.recent, l.old = layout, layout
		return format.CheckTime(layout)
	case "--color":
		if o.Value != "never" && o.Value != "auto" {
			return command.Refuse("ls --color: colors are not available here; leave it out")
		}
	}
	return nil
}

// list shows the operands: files first, then directories with their entries.
func (l *lister) list(operands []string) {
	var files, dirs []item
	for _, name := range operands {
		it, err := l.operand(name)
		switch {
		case err != nil:
			l.c.Failed("cannot access %q: %s", name, err)
			l.status = 2
		case it.details.Kind == workspace.Directory && !l.Has("-d"):
			dirs = append(dirs, it)
		default:
			files = append(files, it)
		}
	}
	l.order(files)
	l.order(dirs)
	if len(files) > 0 {
		l.print(files, dirs)
		l.printed = true
	}
	for _, it := range dirs {
		l.directory(it.name, len(operands) > 1 || l.Has("-R"), 2)
	}
}

// operand describes an operand. A symlink to a directory is followed unless it is shown itself.
func (l *lister) operand(name string) (item, error) {
	isShown := l.long || l.mark == "-F" || l.Has("-d")
	d, err := describe(l.ctx, l.c, name, false)
	if err != nil {
		return item{}, err
	}
	if d.Kind == workspace.Symlink && !isShown {
		target, err := describe(l.ctx, l.c, name, true)
		if err == nil && target.Kind == workspace.Directory {
			d = target
		}
	}
	return l.item("", child{name, d}), nil
}

// item completes an entry of a directory with what is shown of symlinks.
func (l *lister) item(dir string, entry child) item {
	it := item{child: entry, isDir: entry.details.Kind == workspace.Directory}
	if entry.details.Kind != workspace.Symlink {
		return it
	}
	p := entry.name
	if dir != "" {
		p = join(dir, p)
	}
	if l.long {
		it.target = readlink(l.ctx, l.c, p)
	}
	isFollowed := l.long && l.mark == "-F"
	if isFollowed || l.Has("--group-directories-first") {
		target, err := describe(l.ctx, l.c, p, true)
		if err == nil {
			it.targetMode = target.Mode
			it.isDir = target.Kind == workspace.Directory
		}
	}
	return it
}

func (l *lister) order(list []item) {
	byName := func(a, b item) int { return cmp.Compare(a.name, b.name) }
	compare := byName
	switch l.sort {
	case "-t":
		compare = func(a, b item) int { return b.details.ModTime.Compare(a.details.ModTime) }
	case "-S":
		compare = func(a, b item) int { return cmp.Compare(b.details.Size, a.details.Size) }
	}
	slices.SortStableFunc(list, func(a, b item) int {
		l.c.Account.Tick()
		if l.Has("--group-directories-first") && a.isDir != b.isDir {
			if a.isDir {
				return -1
			}
			return 1
		}
		n := cmp.Or(compare(a, b), byName(a, b))
		if l.Has("-r") {
			return -n
		}
		return n
	})
}

// maxDepth bounds the recursion of ls -R, du and tree. For ls -R, it is the number of slashes in a
// path.
const maxDepth = 500

// directory shows the entries of the directory at p and, with -R, of those below. failure is the
// status if it cannot be opened.
func (l *lister) directory(p string, hasTitle bool, failure int) {
	l.c.Account.Check()
	held := l.c.Account.Held()
	failed := func(name string, err error) {
		l.c.Failed("cannot access %q: %s", join(p, name), err)
		l.status = max(l.status, 1)
	}
	isDetailed := l.long || l.mark == "-F" || l.sort != ""
	entries, err := children(l.ctx, l.c, p, isDetailed, l.isShown, failed)
	if err != nil {
		l.c.Failed("cannot open directory %q: %s", p, err)
		l.status = max(l.status, failure)
		return
	}
	list := make([]item, 0, len(entries)+2)
	if l.Last("-a", "-A") == "-a" {
		list = append(list, l.dots(p)...)
	}
	for _, entry := range entries {
		list = append(list, l.item(p, entry))
	}
	l.order(list)
	if l.printed && hasTitle {
		l.c.Out.WriteByte('\n')
	}
	if hasTitle {
		l.c.Out.WriteString(p + ":\n")
	}
	l.printed = true
	if l.long {
		blocks := int64(0)
		for _, it := range list {
			blocks += it.details.Blocks
		}
		text := strconv.FormatInt((blocks+1)/2, 10)
		if l.Has("-h") {
			text = humanSize(blocks * 512)
		}
		l.c.Out.WriteString("total " + text + "\n")
	}
	l.print(list, nil)
	if l.Has("-R") {
		l.recurse(p, list)
	}
	l.c.Account.Drop(int(l.c.Account.Held() - held))
}

func (l *lister) recurse(p string, list []item) {
	if strings.Count(p, "/") > maxDepth {
		l.c.Fatalf(2, "%s: directories are nested too deep", p)
	}
	for _, it := range list {
		isDots := it.name == "." || it.name == ".."
		if it.details.Kind == workspace.Directory && !isDots {
			l.directory(join(p, it.name), true, 1)
		}
	}
}

func (l *lister) isShown(name string) bool {
	return l.Has("-a", "-A") || !strings.HasPrefix(name, ".")
}

// dots returns "." and "..". Above a root, ".." is the root itself, as at the top of a file system.
func (l *lister) dots(p string) []item {
	self, _ := describe(l.ctx, l.c, p+"/.", true)
	parent, err := describe(l.ctx, l.c, join(p, ".."), true)
	if err != nil {
		parent = self
	}
	return []item{{child: child{".", self}, isDir: true}, {child: child{"..", parent}, isDir: true}}
}

// A cell is what stands in a column before the name.
type cell struct {
	text   string
	isLeft bool // aligned left in its column
}

func (l *lister) cells(d *workspace.Details) []cell {
	if !l.long {
		return nil
	}
	return []cell{
		{modeText(d.Mode), true},
		{strconv.FormatUint(d.Links, 10), false},
		l.owner(l.users, d.UID), l.owner(l.groups, d.GID),
		{l.size(d), false},
		{l.time(d.ModTime), false},
	}
}

func (l *lister) owner(names map[uint32]string, id uint32) cell {
	if name, ok := names[id]; ok && !l.Has("-n") {
		return cell{name, true}
	}
	return cell{strconv.FormatUint(uint64(id), 10), false}
}

func (l *lister) size(d *workspace.Details) string {
	typeBits := d.Mode & typeMask
	switch {
	case typeBits == charDevice, typeBits == blockDevice:
		return fmt.Sprintf("%d, %d", d.Special.Major, d.Special.Minor)
	case l.Has("-h"):
		return humanSize(d.Size)
	}
	return strconv.FormatInt(d.Size, 10)
}

func (l *lister) time(t time.Time) string {
	const halfYear = 31556952 / 2 * time.Second // of 365.2425 days
	if t.Before(l.now) && l.now.Sub(t) < halfYear {
		return format.Time(l.recent, t.Local())
	}
	return format.Time(l.old, t.Local())
}

// print shows the items of a list. The columns are wide enough for the others, too.
func (l *lister) print(list, others []item) {
	if l.Name == "dir" && len(list) > 0 {
		command.Stop("dir: its columns are not available here; use ls")
	}
	var widths [6]int
	for _, it := range slices.Concat(list, others) {
		for column, cell := range l.cells(&it.details) {
			widths[column] = max(widths[column], len(cell.text))
		}
	}
	for i := range list {
		l.c.Account.Tick()
		for column, cell := range l.cells(&list[i].details) {
			v := format.Verb{Width: widths[column], Minus: cell.isLeft}
			l.c.Out.WriteString(v.Text(cell.text, len(cell.text)) + " ")
		}
		l.c.Out.WriteString(list[i].name)
		mode := list[i].details.Mode
		if list[i].target != "" {
			l.c.Out.WriteString(" -> " + list[i].target)
			mode = list[i].targetMode
		}
		l.c.Out.WriteString(l.indicator(mode, list[i].details.Kind) + "\n")
	}
}

// indicator returns what -F and -p show behind a name.
func (l *lister) indicator(mode uint32, kind workspace.EntryKind) string {
	// The mode is 0 if the entry was not described, as with -p alone.
	if mode == 0 && kind == workspace.Directory {
		mode = directory
	}
	typeBits := mode & typeMask
	switch {
	case l.mark == "", l.mark == "-p" && typeBits != directory:
		return ""
	case typeBits == regular && mode&0o111 != 0:
		return "*"
	}
	return typeNames[typeBits].mark
}
