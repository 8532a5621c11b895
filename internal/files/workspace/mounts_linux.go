package workspace

import (
	"io"
	"os"
	"strings"
)

// maxMounts is the maximum size of the table of mounts, in bytes.
const maxMounts = 4 << 20

// mountedDevices returns the mounted device for each mount point. It inspects no file system. It
// reports false if the table of mounts is not available.
func mountedDevices() (map[string]string, bool) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, false
	}
	defer f.Close()
	table, err := io.ReadAll(io.LimitReader(f, maxMounts+1))
	if err != nil || len(table) > maxMounts {
		return nil, false
	}
	return parseMounts(string(table)), true
}

// parseMounts parses proc_pid_mountinfo(5). Among mounts at one point, the last is visible.
func parseMounts(table string) map[string]string {
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	devices := map[string]string{}
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) >= 5 {
			devices[unescape.Replace(fields[4])] = fields[2]
		}
	}
	return devices
}
