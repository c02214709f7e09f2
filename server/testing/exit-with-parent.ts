// Stops the server of a test and deletes its data folder when the test process ends, even by SIGKILL.
//
// `start.ts` preloads this file into the server. The end of the test process closes the IPC channel between the two.

import { rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const folder = new URL(import.meta.url).searchParams.get('folder')

// Worker threads of the server load this file too, but must not delete the folder when they end.
if (isMainThread && folder !== null) {
  // Retries, because the embedded database may still be writing.
  process.on('exit', () => rmSync(folder, { force: true, maxRetries: 20, recursive: true, retryDelay: 50 }))
  // Stops as on SIGTERM. `emit` returns false if the server has no handler yet, and then it has nothing to stop.
  process.on('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit())
  // The open channel must not keep the process alive.
  process.channel?.unref()
}
