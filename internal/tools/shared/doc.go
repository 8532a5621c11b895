// Package shared has the mechanisms that the built-in tools share: decoding arguments, turning errors
// of the files into errors of calls, cutting a result to its budget, writing the JSON of trees, and
// suggesting similar names.
//
// Each package beside it has the tools of one author, with their names, arguments, messages and
// output format. They do not depend on each other, and decide nothing about confinement.
package shared
