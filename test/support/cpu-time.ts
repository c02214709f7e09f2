// Measures work in CPU time of this process, which does not grow when other programs use the machine.

/** @returns a function that returns the CPU time since this call, in milliseconds */
export function startCpuTimer(): () => number {
  const from = process.cpuUsage()
  return () => {
    const { system, user } = process.cpuUsage(from)
    return (system + user) / 1000
  }
}
