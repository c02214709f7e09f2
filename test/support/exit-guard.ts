// Ends the process of a test file that stays open after its last test, and names the open handles.
//
// Node's own `forceExit` ends the process before its last results are through the pipe, so some of them are lost
// (nodejs/node#64833).

import { after } from 'node:test'

const EXIT_TIMEOUT_MS = 10_000

after(() => {
  const exit = () => {
    process.stderr.write(
      `${process.argv[1]} is held open by ${process.getActiveResourcesInfo().join(', ')}\n`
    )
    process.exit(1)
  }
  setTimeout(exit, EXIT_TIMEOUT_MS).unref()
})
