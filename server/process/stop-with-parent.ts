// Stops the process when its parent has ended. npm passes SIGTERM and SIGINT on, but not SIGHUP, and it may be killed: the server
// would run on and keep its port and its database.

const CHECK_INTERVAL_MS = 500

/** Stops as on SIGTERM. Call it before anything that blocks, because it compares with the parent of this moment. */
export function stopWithParent(): void {
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    // False if the server has no handler yet, and then it has nothing to stop.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit()
  }, CHECK_INTERVAL_MS)
  check.unref()
}
