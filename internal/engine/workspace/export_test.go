package workspace

// Grounds are the names of what [OpenBehind] opens a workspace on.
func Grounds() []string { return []string{"system", "portable"} }

// OpenBehind opens a workspace whose every system call passes through a gate.
func OpenBehind(on string, gate func(call string) error, o Options, dirs ...string) (*Workspace, error) {
	if on == "portable" {
		return openOn(o, portableBehind(gate), dirs...)
	}
	return openOn(o, systemBehind(gate), dirs...)
}
