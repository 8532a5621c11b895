// Package test holds the tests of the whole module; each kind is a package below this folder. They use what an embedding
// program or a client can use: boundary shows that nothing outside the workspace is reached, load that many, slow and stuck
// calls stay bounded, library what the Go API promises, fuzz that answers keep their invariants over random trees, and clients
// that real MCP clients work.
package test
