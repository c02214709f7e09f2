// `npm start`: builds what browsers get, then starts the server. What only asks builds nothing.

import { build, isBuilt } from './process/build.ts'

if (process.argv.length === 2 && !isBuilt()) {
  const code = build()
  if (code !== 0) process.exit(code)
}

await import('./main.ts')
