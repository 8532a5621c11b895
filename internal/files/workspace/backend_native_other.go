//go:build !linux

package workspace

func nativeBackend() backend { return rootBackend{} }
