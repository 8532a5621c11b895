package confinement

import (
	"fmt"
	"strings"

	"github.com/landlock-lsm/go-landlock/landlock"
	"github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// truncationABI is the first version of Landlock that refuses to truncate a file by opening it.
const truncationABI = 3

func describe() string {
	version, err := syscall.LandlockGetABIVersion()
	return describeWalls(version, err, supportsFilter())
}

// describeWalls describes a system by its version of Landlock, or the error for it, and the error
// for a filter of system calls.
func describeWalls(version int, landlockErr, filterErr error) string {
	var walls, missing []string
	switch {
	case landlockErr != nil:
		missing = append(missing, fmt.Sprintf("no Landlock (%v)", landlockErr))
	case version < truncationABI:
		walls = append(walls, fmt.Sprint("Landlock ABI ", version))
		missing = append(missing, "no protection from truncation by opening")
	default:
		walls = append(walls, fmt.Sprint("Landlock ABI ", version))
	}
	if filterErr == nil {
		walls = append(walls, "seccomp")
	} else {
		missing = append(missing, fmt.Sprintf("no seccomp (%v)", filterErr))
	}
	return strings.Join(append(walls, missing...), ", ")
}

// enforce grants fewer rights than [landlock.RODirs], which includes the execution of programs.
func enforce(directories []string) error {
	const reading = syscall.AccessFSReadFile | syscall.AccessFSReadDir
	rule := landlock.PathAccess(reading, directories...)
	if err := landlock.V11.BestEffort().Restrict(rule); err != nil {
		return err
	}
	if supportsFilter() != nil {
		return nil
	}
	return applyFilter()
}
