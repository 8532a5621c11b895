package pdf

import (
	"testing"

	"github.com/tetratelabs/wazero"
)

// TestSecondTry checks that a program that cannot be compiled in one way can be freed, and compiled in
// another.
func TestSecondTry(t *testing.T) {
	tooLittle := wazero.NewRuntimeConfigInterpreter().WithMemoryLimitPages(1)
	p := new(program)
	err := p.load(tooLittle)
	if err == nil || p.runtime == nil {
		t.Fatalf("load returned %v, runtime %v", err, p.runtime)
	}
	p.free()
	if p.runtime != nil {
		t.Error("the runtime is not freed")
	}
	err = p.load(wazero.NewRuntimeConfigInterpreter())
	if err != nil {
		t.Error(err)
	}
	p.free()
}
