package cli

// release is the version that the linker sets for a release; "" is any other build. Nothing writes to it.
var release string
