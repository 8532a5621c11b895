//go:build !windows && !darwin

package workspace

// native is how this platform reads paths.
const native = exactSemantics
