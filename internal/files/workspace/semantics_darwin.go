package workspace

// native is how this platform reads paths. Its file systems ignore case by default.
const native = darwinSemantics
