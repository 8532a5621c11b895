package workspace

// native are the rules of this platform. File systems here ignore case by default.
const native = darwinRules
