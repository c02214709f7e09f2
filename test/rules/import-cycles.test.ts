// No files import each other in a cycle, imports of types included.
//
// Files of a cycle cannot be understood, tested or moved without each other. Code that both sides need belongs into the lower
// file, or into a third one below both.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { imports, sources, type Source } from './sources.ts'

const TREES = ['components', 'demo', 'server', 'service-worker']

/** @returns the shortest path from the file back to itself, without its last step, or undefined if there is none */
function shortestCycle(
  start: string,
  importsOf: ReadonlyMap<string, readonly string[]>
): string[] | undefined {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of importsOf.get(path.at(-1)!) ?? []) {
      if (next === start) return path
      if (!seen.has(next)) paths.push([...path, next])
      seen.add(next)
    }
  }
  return undefined
}

/** @returns each cycle once, from the first of its files */
function findCycles(files: readonly Source[]): string[] {
  const importsOf = new Map(files.map(file => [file.path, imports(file)]))
  return files.flatMap(({ path }) => {
    const cycle = shortestCycle(path, importsOf)
    return cycle && cycle.every(other => path <= other) ? [[...cycle, path].join(' -> ')] : []
  })
}

test('no files import each other in a cycle', () => {
  assert.deepEqual(findCycles(TREES.flatMap(tree => sources(tree, ['.ts']))), [])
})

test('the rule names the files of a cycle, also if only types are imported', () => {
  const file = (name: string, ...lines: string[]): Source => ({
    path: `server/${name}.ts`,
    text: lines.join('\n')
  })
  const found = findCycles([
    file('above', "import { two } from './rooms/two.ts'"),
    file('one', "import type { Three } from './three.ts'"),
    file('rooms/two', "import { one } from '../one.ts'", "import { below } from '../below.ts'"),
    file('three', "export * from './rooms/two.ts'"),
    file('below', "import { z } from 'zod'"),
    file('later', "const { self } = await import('./later.ts')")
  ])
  assert.deepEqual(found, [
    'server/one.ts -> server/three.ts -> server/rooms/two.ts -> server/one.ts',
    'server/later.ts -> server/later.ts'
  ])
})
