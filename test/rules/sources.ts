// Reads the sources of the repository as text, for rules that a compiler cannot check.

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Source {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
}

/** Every file below a top-level folder with one of the endings. */
export function sources(folder: string, endings: readonly string[]): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && endings.some(ending => entry.name.endsWith(ending)))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.includes(`${sep}node_modules${sep}`))
    .map(path => ({ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => a.path.localeCompare(b.path))
}

/** @returns what a file imports: files by their path from the root, packages by their name */
export const imports = ({ path, text }: Source): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*['"`]([^'"`]+)['"`]/g)]
    .map(([, name]) => name!)
    .map(name => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
