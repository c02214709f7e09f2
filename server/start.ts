// `npm start`: builds the files for browsers, then starts the server, which ends with npm. `--check`, `--print` and `--help` build
// nothing.

import { findDriverProblem } from './db/driver-patch.ts'
import { build, isBuilt } from './process/build-browser-files.ts'
import { stopWithParent } from './process/stop-with-parent.ts'

// Not if a shell started it: the server runs on after its user logs out.
if (process.env['npm_lifecycle_event'] === 'start') stopWithParent()

if (process.argv.length === 2 && findDriverProblem() === undefined && !isBuilt()) {
  const code = build()
  if (code !== 0) process.exit(code)
}

await import('./main.ts')
