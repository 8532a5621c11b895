// Package toolset combines a workspace with its tools, and calls them. The library, the command
// line and the MCP server share it; a *gander.Toolset converts to a [*Toolset].
package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gander/internal/admission"
	"gander/internal/files/why"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Options configures a [Toolset]. Only Build is required.
type Options struct {
	// Build creates the tools for a workspace, in display order.
	Build func(*workspace.Workspace) ([]tool.Tool, error)
	// Select selects the available tools and Show the visible tools, with selectors as in
	// [tool.Policy]. An available tool can be called even if it is not visible. An empty list selects
	// all tools.
	Select, Show []string
	// Policy determines which calls are allowed. It can contain selectors of unavailable tools.
	Policy tool.Policy
	// MaxOutputBytes and MaxDataBytes limit the text and the data of a result, in addition to the
	// budget of the call. Zero means no limit.
	MaxOutputBytes, MaxDataBytes int
	// Timeout is the maximum duration of a call, excluding middleware, approval and queueing. Zero
	// means no limit.
	Timeout time.Duration
	// Control limits concurrent calls and their memory. The default has the default limits.
	Control *admission.Controller
	// Middleware wraps every call. The first is outermost. The policy is applied after all of them.
	Middleware []tool.Middleware
	// Logger, if not nil, receives a record for each call. Arguments and results are not logged, but
	// error messages can repeat parts of arguments.
	Logger *slog.Logger
}

// A Toolset is a workspace and its tools. It is safe for concurrent use.
type Toolset struct {
	workspace *workspace.Workspace
	options   Options
	entries   []*entry
	closed    atomic.Bool
}

// An entry is an available tool.
type entry struct {
	def     shared.Definition
	tool    tool.Tool
	rank    int          // the sum of hidden and yields; the lowest has priority for a name
	handler tool.Handler // including middleware and policy
}

const (
	yields = 1 // a tool of another MCP server does not affect the names of others
	hidden = 2
)

// New returns a Toolset for w, which it takes ownership of. It returns an error if an ID or an
// input schema is invalid, if the names of two tools conflict, or if a selector matches no tool.
func New(w *workspace.Workspace, o Options) (*Toolset, error) {
	tools, err := o.Build(w)
	if err != nil {
		return nil, err
	}
	if o.Control == nil {
		o.Control = admission.New(0, 0)
	}
	t := &Toolset{workspace: w, options: o}
	valid := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`) // for model providers
	var all []*entry
	for _, each := range tools {
		e := &entry{def: shared.Define(each), tool: each, handler: t.limited(each)}
		if e.def.MCP != nil {
			e.rank = yields
		}
		if len(e.def.Input) == 0 {
			e.def.Input = json.RawMessage(`{"type":"object"}`)
		}
		if err := check(all, e, valid); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	enforce, err1 := policy(all, o.Policy)
	selected, err2 := choose(all, "Tools", o.Select)
	shown, err3 := choose(all, "Tools", o.Show)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	for _, e := range all {
		if len(o.Select) > 0 && !selected[e.def.ID] {
			continue
		}
		if len(o.Show) > 0 && !shown[e.def.ID] {
			e.rank += hidden
		}
		e.handler = enforce(e.def.Spec, e.handler)
		for _, wrap := range slices.Backward(o.Middleware) {
			e.handler = wrap(e.def.Spec, e.handler)
		}
		t.entries = append(t.entries, e)
	}
	return t, nil
}

// Definitions returns the definitions of the visible tools, with unique names. A tool keeps its
// published name if no other tool has priority for it, and otherwise gets "set_name".
func (t *Toolset) Definitions() []shared.Definition {
	visible := slices.Clone(t.entries)
	visible = slices.DeleteFunc(visible, func(e *entry) bool { return e.rank >= hidden })
	definitions := make([]shared.Definition, len(visible))
	for i, e := range visible {
		definitions[i] = e.def
		if found, _ := find(visible, e.def.Name); found != e {
			definitions[i].Name = qualified(e.def.Spec)
		}
	}
	return definitions
}

// Lookup returns the definition of the tool with the given ID, "set_name" or unambiguous published
// name. Visible tools take precedence. The error matches [tool.ErrUnknownTool] and lists the tools.
func (t *Toolset) Lookup(name string) (shared.Definition, error) {
	e, err := find(t.entries, name)
	if err != nil {
		return shared.Definition{}, err
	}
	return e.def, nil
}

// Emulated returns the description of the server that published all visible tools, or nil if they
// do not all come from one other server.
func (t *Toolset) Emulated() *shared.MCP {
	var server *shared.MCP
	for _, d := range t.Definitions() {
		if d.MCP == nil || server != nil && d.MCP.Server != server.Server {
			return nil
		}
		server = d.MCP
	}
	return server
}

// Roots returns the root directories as absolute paths, in the given order.
func (t *Toolset) Roots() []string { return t.workspace.Roots() }

// Handles returns paths that open the roots; see [workspace.Workspace.Handles].
func (t *Toolset) Handles() []string { return t.workspace.Handles() }

// Why explains why a path is shown or hidden. The limits on calls apply.
func (t *Toolset) Why(ctx context.Context, path string) (why.Explanation, error) {
	return run(ctx, t, func(ctx context.Context) (why.Explanation, error) {
		return why.Explain(ctx, t.workspace, path)
	})
}

// Find returns the location of a directory of the workspace. It checks that the directory can be
// opened. Any error is a [*tool.Error].
func (t *Toolset) Find(dir string) (workspace.Location, error) {
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
		Kind:    shared.ErrorKind(err),
		Message: "cannot list " + dir + ": " + shared.PathErrorText(err),
		Err:     err,
	}
}

// Narrow returns a Toolset whose roots are the given directories of t. Paths must be absolute. It
// inherits the tools, deny patterns, policy and limits of t, and both share one quota of calls and
// memory. The caller must close it before t. Any error is a [*tool.Error].
func (t *Toolset) Narrow(dirs ...string) (*Toolset, error) {
	w, err := t.workspace.Narrow(dirs...)
	if err != nil {
		return nil, directoryError(strings.Join(dirs, ", "), err)
	}
	narrowed, err := New(w, t.options)
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
