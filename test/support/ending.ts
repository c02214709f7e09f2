// A test file's process ends by itself; what keeps it open longer is named, and ended with it.
//
// Node's own `forceExit` ends the process before its last results are through the pipe, so that some are lost without
// a word (nodejs/node#64833).

import { after } from 'node:test'

/** Milliseconds that a file's process may live on after its last test. */
const ENDING_PATIENCE = 10_000

after(() => {
  const late = () => {
    process.stderr.write(
      `${process.argv[1]} is held open by ${process.getActiveResourcesInfo().join(', ')}\n`
    )
    process.exit(1)
  }
  setTimeout(late, ENDING_PATIENCE).unref()
})
