package shared

// Largest returns the largest number from lo to hi for which a text fits a budget. All numbers up
// to it must fit except that hi, which may have a shorter frame, is tried by itself. It returns
// lo-1 if none fits. The last call of fits that reported true had the returned number.
func Largest(lo, hi int, fits func(n int) bool) int {
	found := lo - 1
	for n := hi; lo <= hi; n = lo + (hi-lo)/2 {
		if fits(n) {
			found, lo = n, n+1
		} else {
			hi = n - 1
		}
	}
	return found
}
