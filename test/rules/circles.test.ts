// Files that import each other in a loop are one file in pieces: none can be understood, tried or moved without the
// others. Types count as well. What both sides need belongs in the lower one, or in a third below them.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { imports, sources, type Source } from './sources.ts'

const TREES = ['components', 'demo', 'server', 'service-worker']

/** The shortest way back to the file, without its last step; undefined: there is none. */
function circleOf(start: string, arrows: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1)!) ?? []) {
      if (next === start) return way
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return undefined
}

/** Each told once, from the first of its files. */
function circles(files: readonly Source[]): string[] {
  const arrows = new Map(files.map(file => [file.path, imports(file)]))
  return files.flatMap(({ path }) => {
    const circle = circleOf(path, arrows)
    return circle && circle.every(other => path <= other) ? [[...circle, path].join(' -> ')] : []
  })
}

test('no files import each other in a loop', () => {
  assert.deepEqual(circles(TREES.flatMap(tree => sources(tree, ['.ts']))), [])
})

test('the rule names the circle and its arrows, of types too', () => {
  const file = (name: string, ...lines: string[]): Source => ({
    path: `server/${name}.ts`,
    text: lines.join('\n')
  })
  const seen = circles([
    file('above', "import { two } from './rooms/two.ts'"),
    file('one', "import type { Three } from './three.ts'"),
    file('rooms/two', "import { one } from '../one.ts'", "import { below } from '../below.ts'"),
    file('three', "export * from './rooms/two.ts'"),
    file('below', "import { z } from 'zod'"),
    file('later', "const { self } = await import('./later.ts')")
  ])
  assert.deepEqual(seen, [
    'server/one.ts -> server/three.ts -> server/rooms/two.ts -> server/one.ts',
    'server/later.ts -> server/later.ts'
  ])
})
