// Loaded before a server that a test has started: when the test is gone, however it ended, the server goes too, and its
// folder with it.

import { rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const folder = new URL(import.meta.url).searchParams.get('folder')

// Threads of the server load this too, and end when they like.
if (isMainThread && folder !== null) {
  // Its database may be writing a last word.
  process.on('exit', () => rmSync(folder, { force: true, maxRetries: 20, recursive: true, retryDelay: 50 }))
  // The orderly end, as by an operator; before the server listens for that there is nothing to end.
  process.on('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit())
  // That somebody may leave is no reason to stay.
  process.channel?.unref()
}
