package awk

// run runs the rules. It returns the exit status.
func (m *machine) run() int {
	defer m.close()
	state := proceed
	for i := range m.program.begin {
		if state = m.once(&m.program.begin[i], "BEGIN"); state == leave {
			break
		}
	}
	readsInput := len(m.program.rules)+len(m.program.end) > 0
	if state != leave && readsInput {
		m.records()
	}
	// exit elsewhere does not skip the rules END.
	for i := range m.program.end {
		if m.once(&m.program.end[i], "END") == leave {
			break
		}
	}
	return m.status
}

// once runs a rule BEGIN or END.
func (m *machine) once(r *rule, name string) flow {
	state := m.apply(r)
	if state == skipRecord || state == skipFile {
		m.fatalf("`next' cannot be called from a `%s' rule", name)
	}
	return state
}

// apply runs a rule if it selects the record. A function can end it.
func (m *machine) apply(r *rule) (state flow) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case flow:
			state = r
		default:
			panic(r)
		}
	}()
	m.line = r.line
	if !r.selects(m) {
		return proceed
	}
	return r.action(m)
}

// close closes the files that are open.
func (m *machine) close() {
	m.source.close()
	for _, s := range m.readers {
		s.close()
	}
	m.compiled.Release()
}

// records runs the rules for each record.
func (m *machine) records() {
	for {
		text, ok := m.nextRecord()
		if !ok {
			return
		}
		m.setRecord(text)
		for i := range m.program.rules {
			state := m.apply(&m.program.rules[i])
			if state == leave {
				return
			}
			if state == skipFile {
				m.source.close()
			}
			if state != proceed {
				break
			}
		}
	}
}
