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
	var walls, missing []string
	version, err := syscall.LandlockGetABIVersion()
	if err == nil {
		walls = append(walls, fmt.Sprint("Landlock ABI ", version))
	} else {
		missing = append(missing, fmt.Sprintf("no Landlock (%v)", err))
	}
	if err == nil && version < truncationABI {
		missing = append(missing, "no protection from truncation by opening")
	}
	if err := supportsFilter(); err == nil {
		walls = append(walls, "seccomp")
	} else {
		missing = append(missing, fmt.Sprintf("no seccomp (%v)", err))
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
