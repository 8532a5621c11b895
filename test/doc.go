// Package test holds the tests of the whole module, which use what an embedding program or a client
// can use. Each package below this folder is one kind of test. boundary checks that nothing outside
// the workspace is reached, conformance that the tools return the results of the vectors, load that
// many, slow and stuck calls are bounded, library what the Go API promises, fuzz invariants of
// results in random trees, architecture rules for layers and packages, and clients that real MCP
// clients work.
package test
