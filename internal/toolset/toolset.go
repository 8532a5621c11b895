// Package toolset combines a workspace with its tools, and calls them. The library, the command
// line and the MCP server share it; a *gander.Toolset converts to a [*Toolset].
package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gander/internal/admission"
	"gander/internal/files/why"
	"gander/internal/files/workspace"
	"gander/internal/tools/definition"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// Options configures a [Toolset].
type Options struct {
	// Sets and Tools are the tools to select from, in display order.
	Sets  []definition.Set
	Tools []tool.Tool
	// Select selects the tools of the toolset, with selectors as in [tool.Policy]. An empty list
	// selects all. The toolset has no others.
	Select []string
	// Policy determines which calls are allowed. It can contain selectors of tools that are not
	// selected.
	Policy tool.Policy
	// MaxOutputBytes and MaxDataBytes limit the text and the data of a result, in addition to the
	// budget of the call. Zero means no limit.
	MaxOutputBytes, MaxDataBytes int
	// Timeout is the maximum duration of a call, excluding middleware, approval and queueing. Zero
	// means no limit.
	Timeout time.Duration
	// Control limits concurrent calls and their memory. If nil, the Toolset gets one of its own, with
	// the default limits.
	Control *admission.Controller
	// Middleware wraps every call. The first is outermost. The policy is applied after all of them.
	Middleware []tool.Middleware
	// Audit, if not nil, is called with the record of each call before its result is returned. If it
	// returns an error, the call fails. It must be safe for concurrent use.
	Audit func(context.Context, tool.Record) error
	// Logger, if not nil, receives a record for each call. Arguments and results are not logged, but
	// error messages can repeat parts of arguments.
	Logger *slog.Logger
}

// A Toolset is a workspace and its tools. It is safe for concurrent use.
type Toolset struct {
	workspace *workspace.Workspace
	options   Options
	policy    policy
	entries   []*entry
	closed    atomic.Bool
}

// New returns a Toolset for w, which it closes with the Toolset; on an error, the caller must close
// it. It returns an error if an option of a set, an ID or an input schema is invalid, if the names
// of two tools conflict, or if a selector matches no tool.
func New(w *workspace.Workspace, o Options) (*Toolset, error) {
	if o.Control == nil {
		o.Control = admission.New(0, 0)
	}
	all, err := candidates(o)
	if err != nil {
		return nil, err
	}
	enforced, policyErr := newPolicy(all, o.Policy)
	selected, selectErr := choose(all, "Tools", o.Select)
	if err := errors.Join(policyErr, selectErr); err != nil {
		return nil, err
	}
	t := &Toolset{workspace: w, options: o, policy: enforced}
	for _, e := range all {
		if len(o.Select) == 0 || selected[e.id] {
			t.entries = append(t.entries, e)
		}
	}
	if err := t.build(); err != nil {
		return nil, err
	}
	for _, e := range t.entries {
		e.handler = t.guard(e.def.Spec, t.limited(e.tool))
	}
	return t, nil
}

// candidates returns the tools to select from. Those of the sets are not yet built.
func candidates(o Options) ([]*entry, error) {
	var all []*entry
	var failures []error
	for _, set := range o.Sets {
		d := set.Definition()
		failures = append(failures, d.Err)
		for _, name := range d.Tools {
			id := d.Name + "/" + name
			all = append(all, &entry{id: id, set: d.Name, name: name, yields: d.Yields})
		}
	}
	for _, each := range o.Tools {
		def := definition.Of(each)
		if len(def.Input) == 0 {
			def.Input = json.RawMessage(`{"type":"object"}`)
		}
		set, _, _ := strings.Cut(def.ID, "/")
		failures = append(failures, checkSpec(set, def.Spec))
		all = append(all, &entry{id: def.ID, set: set, name: def.Name, tool: each, def: def})
	}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return all, checkNames(all)
}

// build creates the tools of each set that has an entry. It returns an error if a set does not
// create one that it declares.
func (t *Toolset) build() error {
	for _, set := range t.options.Sets {
		d := set.Definition()
		missing := make(map[string]*entry)
		for _, e := range t.entries {
			if e.set == d.Name && e.tool == nil {
				missing[e.name] = e
			}
		}
		if len(missing) == 0 {
			continue
		}
		for _, each := range d.Build(t.workspace) {
			if e := missing[each.Spec().Name]; e != nil {
				e.tool, e.def = each, definition.Of(each)
			}
		}
	}
	for _, e := range t.entries {
		if e.tool == nil {
			return fmt.Errorf("the set of tool %q does not create it", e.id)
		}
	}
	return nil
}

// guard wraps the handler of a tool in the policy and the middleware.
func (t *Toolset) guard(s tool.Spec, h tool.Handler) tool.Handler {
	h = t.policy.wrap(s, h)
	for _, wrap := range slices.Backward(t.options.Middleware) {
		h = wrap(s, h)
	}
	return h
}

// Definitions returns the definitions of the tools, with unique names. A tool keeps its published
// name if no other tool has priority for it, and otherwise gets "set_name".
func (t *Toolset) Definitions() []definition.Definition {
	definitions := make([]definition.Definition, len(t.entries))
	for i, e := range t.entries {
		definitions[i] = e.def
		if found, _ := find(t.entries, e.name); found != e {
			definitions[i].Name = e.qualified()
		}
	}
	return definitions
}

// Lookup returns the definition of the tool with the given ID, "set_name" or unambiguous published
// name. Its name is the published one; compare [Toolset.Definitions]. The error matches
// [tool.ErrUnknownTool] and lists the tools.
func (t *Toolset) Lookup(name string) (definition.Definition, error) {
	e, err := find(t.entries, name)
	if err != nil {
		return definition.Definition{}, err
	}
	return e.def, nil
}

// Emulated returns the description of the server whose tools all of the tools reproduce, or nil if
// there is no one such server.
func (t *Toolset) Emulated() *definition.MCP {
	var server *definition.MCP
	for _, d := range t.Definitions() {
		if d.MCP == nil || server != nil && d.MCP.Server != server.Server {
			return nil
		}
		server = d.MCP
	}
	return server
}

// Workspace returns the directories, which close with t.
func (t *Toolset) Workspace() *workspace.Workspace { return t.workspace }

// Roots returns the root directories as absolute paths, in the given order.
func (t *Toolset) Roots() []string { return t.workspace.Roots() }

// Control returns the limits on concurrent calls and their memory, which narrowed toolsets share.
func (t *Toolset) Control() *admission.Controller { return t.options.Control }

// MemoryLimits returns the maximum sizes of the cache and of the data of a result, in bytes. Zero
// means that there is no cache, and that the data are not limited.
func (t *Toolset) MemoryLimits() (cacheBytes, dataBytes int) {
	return t.workspace.CacheBytes(), t.options.MaxDataBytes
}

// Why explains why a path is shown or hidden. The limits on calls apply. Any error is a
// [*tool.Error].
func (t *Toolset) Why(ctx context.Context, path string) (why.Explanation, error) {
	return withLimits(ctx, t, func(ctx context.Context) (why.Explanation, error) {
		return why.Explain(ctx, t.workspace, path)
	})
}

// Directory returns the location of a directory of the workspace. It checks that there is such a
// directory and that it is not denied, but not that it may be read. Any error is a [*tool.Error].
func (t *Toolset) Directory(dir string) (workspace.Location, error) {
	location, err := t.workspace.Find(context.Background(), dir)
	if err == nil {
		err = location.CheckDir()
	}
	if err != nil {
		return workspace.Location{}, directoryError(dir, err)
	}
	return location, nil
}

func directoryError(dir string, err error) error {
	return &tool.Error{
		Kind:    toolerror.KindOf(err),
		Message: "cannot list " + dir + ": " + toolerror.PathText(err),
		Err:     err,
	}
}

// Narrow returns a Toolset whose roots are directories of t, with absolute paths, and which has the
// tools of t that selectors select. Without any, it has all. It inherits the deny patterns, policy
// and limits of t, and both share one quota of calls and memory. The caller must close it before t.
func (t *Toolset) Narrow(dirs, selectors []string) (*Toolset, error) {
	o := t.options
	if len(selectors) > 0 {
		selected, err := choose(t.entries, "tools", selectors)
		if err != nil {
			return nil, err
		}
		o.Select = slices.Sorted(maps.Keys(selected))
	}
	if len(dirs) == 0 {
		dirs = t.Roots()
	}
	w, err := t.workspace.Narrow(dirs...)
	if err != nil {
		return nil, directoryError(strings.Join(dirs, ", "), err)
	}
	narrowed, err := New(w, o)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return narrowed, nil
}

// Close releases all handles. Further calls and calls in progress fail with [tool.ErrClosed].
// Close is idempotent.
func (t *Toolset) Close() error {
	t.closed.Store(true)
	return t.workspace.Close()
}
