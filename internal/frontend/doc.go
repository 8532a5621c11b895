// Package frontend is the layer of what faces people, clients and models: the command line, MCP over HTTP,
// resources, the configuration, and the installation into MCP clients. A frontend turns
// requests into calls of a toolset and answers into its protocol. It knows gander and package tool, and no dialect: what it
// needs to know of a tool, the tool's specification says.
package frontend
