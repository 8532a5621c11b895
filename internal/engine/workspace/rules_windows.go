package workspace

// native are the rules of this platform.
const native = windowsRules
