//go:build !linux

package workspace

func moreBackends() []testBackend { return nil }
