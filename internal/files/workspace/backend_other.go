//go:build !(darwin || freebsd || linux || netbsd || openbsd)

package workspace

func nativeBackend(hook syscallHook) backend { return &rootBackend{hook} }
