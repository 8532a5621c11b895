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
	options command.Arguments

	all, almost, long, slash, classify bool
	sort                               byte // t, S or 0
	timeStyle                          string

	c       *command.Call
	ctx     context.Context // of the run
	status  int
	printed bool
	now     time.Time
}

// An item is an entry that ls shows.
type item struct {
	child
	target     string
	targetMode uint32 // of the target of a symlink
	isDir      bool   // or a symlink to one, if directories come first
}

func (o owners) prepareLs(a command.Arguments) (command.Run, error) {
	l := lister{owners: o, options: a}
	for _, o := range a.Options {
		if err := l.set(o); err != nil {
			return nil, err
		}
	}
	if l.long && slices.Contains(a.Operands, null) {
		return nil, command.Refuse("ls -l %s: devices are not available here; leave it out", null)
	}
	return func(ctx context.Context, c *command.Call) int {
		l := l
		l.ctx, l.c, l.now = ctx, c, time.Now()
		l.list(a.Operands)
		return l.status
	}, nil
}

func (l *lister) set(o command.Option) error {
	switch o.Name {
	case "-a":
		l.all, l.almost = true, false
	case "-A":
		l.all, l.almost = false, true
	case "-l", "-n":
		l.long = true
	case "-F":
		if o.Value != "" {
			return command.Refuse("ls --classify=%s: not available here; use -F", o.Value)
		}
		l.classify, l.slash = true, false
	case "-p":
		l.classify, l.slash = false, true
	case "-t", "-S":
		l.sort = o.Name[1]
	case "--time-style":
		l.timeStyle = o.Value
		layout, isLayout := strings.CutPrefix(o.Value, "+")
		isKnown := isLayout || slices.Contains([]string{"full-iso", "long-iso"}, o.Value)
		if !isKnown || strings.Contains(layout, "\n") {
			return command.Refuse("ls --time-style=%s: not available here; use full-iso or a +FORMAT", o.Value)
		}
		return format.CheckTime(layout)
	case "--full-time":
		l.long, l.timeStyle = true, "full-iso"
	case "--color":
		if o.Value != "never" && o.Value != "auto" {
			return command.Refuse("ls --color: colors are not available here; leave it out")
		}
	}
	return nil
}

func (l *lister) has(option string) bool { return l.options.Has(option) }

func (l *lister) list(operands []string) {
	if len(operands) == 0 {
		operands = []string{"."}
	}
	var files, dirs []item
	for _, name := range operands {
		it, err := l.operand(name)
		switch {
		case err != nil:
			l.c.Failed("cannot access %q: %s", name, err)
			l.status = 2
		case it.details.Kind == workspace.Directory && !l.has("-d"):
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
		l.directory(it.name, len(operands) > 1 || l.has("-R"), 2)
	}
}

// operand describes an operand. A symlink to a directory is followed unless it is shown itself.
func (l *lister) operand(name string) (item, error) {
	isShown := l.long || l.classify || l.has("-d")
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
	isFollowed := l.long && l.classify
	if isFollowed || l.has("--group-directories-first") {
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
	case 't':
		compare = func(a, b item) int { return b.details.ModTime.Compare(a.details.ModTime) }
	case 'S':
		compare = func(a, b item) int { return cmp.Compare(b.details.Size, a.details.Size) }
	}
	slices.SortStableFunc(list, func(a, b item) int {
		l.c.Account.Tick()
		if l.has("--group-directories-first") && a.isDir != b.isDir {
			return map[bool]int{true: -1, false: 1}[a.isDir]
		}
		n := cmp.Or(compare(a, b), byName(a, b))
		if l.has("-r") {
			return -n
		}
		return n
	})
}

// maxDepth bounds the recursion of ls -R, du and tree.
const maxDepth = 500

func (l *lister) directory(p string, hasTitle bool, failure int) {
	l.c.Account.Check()
	held := l.c.Account.Held()
	failed := func(name string, err error) {
		l.c.Failed("cannot access %q: %s", join(p, name), err)
		l.status = max(l.status, 1)
	}
	entries, err := children(l.ctx, l.c, p, l.isDetailed(), l.isShown, failed)
	if err != nil {
		l.c.Failed("cannot open directory %q: %s", p, err)
		l.status = max(l.status, failure)
		return
	}
	list := make([]item, 0, len(entries)+2)
	if l.all {
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
		if l.has("-h") {
			text = humanSize(blocks * 512)
		}
		l.c.Out.WriteString("total " + text + "\n")
	}
	l.print(list, nil)
	if l.has("-R") {
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
	return l.all || l.almost || !strings.HasPrefix(name, ".")
}

func (l *lister) isDetailed() bool {
	return l.long || l.classify || l.sort == 't' || l.sort == 'S'
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

// cells returns what stands before the name: texts, and whether each is on the left of its column.
func (l *lister) cells(d *workspace.Details) (texts []string, left []bool) {
	if !l.long {
		return nil, nil
	}
	add := func(text string, isLeft bool) { texts, left = append(texts, text), append(left, isLeft) }
	add(modeText(d.Mode), true)
	add(strconv.FormatUint(d.Links, 10), false)
	for _, owner := range []struct {
		names map[uint32]string
		id    uint32
	}{{l.users, d.UID}, {l.groups, d.GID}} {
		name, ok := owner.names[owner.id]
		if isName := ok && !l.has("-n"); isName {
			add(name, true)
		} else {
			add(strconv.FormatUint(uint64(owner.id), 10), false)
		}
	}
	add(l.size(d), false)
	add(l.time(d.ModTime), false)
	return texts, left
}

func (l *lister) size(d *workspace.Details) string {
	kind := d.Mode & typeMask
	switch {
	case kind == charDevice, kind == blocks:
		return fmt.Sprintf("%d, %d", d.Special.Major, d.Special.Minor)
	case l.has("-h"):
		return humanSize(d.Size)
	}
	return strconv.FormatInt(d.Size, 10)
}

func (l *lister) time(t time.Time) string {
	const halfYear = 31556952 / 2 * time.Second // of 365.2425 days
	t = t.Local()
	isRecent := t.Before(l.now) && l.now.Sub(t) < halfYear
	layout := "%b %e  %Y"
	if isRecent {
		layout = "%b %e %H:%M"
	}
	switch {
	case strings.HasPrefix(l.timeStyle, "+"):
		layout = l.timeStyle[1:]
	case l.timeStyle == "full-iso":
		layout = "%F %T.%N %z"
	case l.timeStyle == "long-iso":
		layout = "%F %H:%M"
	}
	return format.Time(layout, t)
}

// print shows items in columns that are as wide as those of others need, too.
func (l *lister) print(list, others []item) {
	var widths []int
	for _, it := range slices.Concat(list, others) {
		texts, _ := l.cells(&it.details)
		widths = append(widths, make([]int, len(texts)-min(len(texts), len(widths)))...)
		for column, text := range texts {
			widths[column] = max(widths[column], len(text))
		}
	}
	for i := range list {
		l.c.Account.Tick()
		texts, left := l.cells(&list[i].details)
		for column, text := range texts {
			v := format.Verb{Width: widths[column], Minus: left[column]}
			l.c.Out.WriteString(v.Text(text, len(text)) + " ")
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
	isDir := mode&typeMask == directory || mode == 0 && kind == workspace.Directory
	if isDir && (l.slash || l.classify) {
		return "/"
	}
	if !l.classify {
		return ""
	}
	marks := map[uint32]string{symlink: "@", fifo: "|", socket: "="}
	if mode&typeMask == regular && mode&0o111 != 0 {
		return "*"
	}
	return marks[mode&typeMask]
}
