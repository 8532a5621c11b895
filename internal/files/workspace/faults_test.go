//go:build unix

package workspace_test

import (
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/faults"
)

// hooked opens a workspace for the tests of all tools.
func hooked(
	backend string, hook func(call, name string) error, root string,
) (*workspace.Workspace, error) {
	return workspace.OpenHooked(backend, hook, workspace.Options{}, root)
}

// TestFaults makes each backend call of every tool fail with each error, only EIO with -short.
func TestFaults(t *testing.T) { faults.Check(t, hooked, workspace.Backends()) }

// TestStalls stalls each backend call of every tool.
func TestStalls(t *testing.T) { faults.CheckStalls(t, hooked, workspace.Backends()) }

// TestPage counts the backend calls for a page of a large tree.
func TestPage(t *testing.T) { faults.CheckPage(t, hooked, "native") }
