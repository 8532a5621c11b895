package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gander/internal/engine/text"
	"gander/tool"
)

// An equivalent is the tool of a dialect that answers what a command for people asks.
type equivalent struct {
	id   string
	args map[string]any
	// lacks are the command's flags that the tool has no argument for.
	lacks []string
}

// observe notes the call of --as.
func (v *view) observe(_ context.Context, r tool.Record) { v.called = &r }

// dialects are what --as can be.
func dialects() []string { return []string{"codex", "forge", "gemini", "toolkit"} }

// checkAs judges --as before anything is opened.
func (v *view) checkAs() error {
	if v.cmd.Flags().Changed("as") && !slices.Contains(dialects(), v.as) {
		return fmt.Errorf("--as is %q; it must be %s", v.as, strings.Join(dialects(), ", "))
	}
	return nil
}

// answer prints what a model would read from the equivalent.
func (v *view) answer(e equivalent) error {
	for _, name := range e.lacks {
		if v.cmd.Flags().Changed(name) {
			return fmt.Errorf("%s has no argument for --%s; leave it out", e.id, name)
		}
	}
	args, err := json.Marshal(e.args)
	if err != nil {
		return failure{err}
	}
	result, err := v.files.Call(v.cmd.Context(), e.id, tool.Call{Args: args})
	if err != nil {
		return err
	}
	content := result.Text()
	if v.screen.Terminal {
		content = strings.TrimSuffix(text.Sanitize(content), "\n") + "\n"
	}
	if _, err := v.out.WriteString(content); err != nil {
		return nil // said at the end
	}
	if result.Truncated {
		return v.cut("a limit of " + e.id)
	}
	return nil
}

// set puts an argument in where its flag is given.
func (e *equivalent) set(v *view, flag, key string, value any) {
	if v.cmd.Flags().Changed(flag) {
		e.args[key] = value
	}
}

// relative is the argument as the tools take it: relative to the first root, absolute in any other.
func (v *view) relative() string {
	if v.root != v.files.Roots()[0] {
		return v.absolute()
	}
	return v.rel
}
