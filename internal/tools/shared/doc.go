// Package dialect is the layer of the built-in tools. Each package below it speaks one dialect: the
// tool names, arguments, messages and output format of one author, exactly as published. A dialect
// takes files from the engine, never knows another dialect, and decides nothing about confinement.
// This package holds what all dialects share: decoding arguments, turning errors of the engine into
// errors of calls, keeping an answer within its budget, and explaining what a listing leaves out.
package shared
