// `npm start`: builds what browsers get, then starts the server.
//
// What only asks builds nothing: a build empties the folder, and another process may be serving from it.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

if (process.argv.length === 2) {
  const root = join(import.meta.dirname, '..')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const build = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit'
  })
  if (build.status !== 0) process.exit(build.status ?? 1)
}

await import('./main.ts')
