package workspace

// native is how this platform reads paths.
const native = windowsSemantics
