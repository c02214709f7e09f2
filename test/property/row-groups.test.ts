// Row groups of a long list: they keep its order through every change, and rows stay in their group.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import { RowGroups } from '../../components/inbox/list/row-groups.ts'
import { checkProperty } from '../support/generated.ts'

interface Row {
  readonly key: string
}

/** A change of a list: rows are added at its top, loaded at its end or removed, or the page sorts them again. */
const step = fc.record({
  count: fc.integer({ max: 60, min: 1 }),
  seed: fc.nat(),
  what: fc.constantFrom('top', 'end', 'leave', 'sort')
})

interface Step {
  readonly count: number
  readonly seed: number
  readonly what: string
}

let named = 0
const fresh = (count: number): readonly Row[] => Array.from({ length: count }, () => ({ key: `${named++}` }))

const mixed = (row: Row, seed: number): number => Math.imul(Number(row.key) + seed, 0x9e3779b1) >>> 16

function after(rows: readonly Row[], step: Step): readonly Row[] {
  if (step.what === 'top') return [...fresh(step.count), ...rows]
  if (step.what === 'end') return [...rows, ...fresh(step.count)]
  if (step.what === 'leave') return rows.filter(row => mixed(row, step.seed) % 3 > 0)
  return rows.toSorted((one, other) => mixed(one, step.seed) - mixed(other, step.seed))
}

test('row groups keep the order of a list, and a row stays in its group', async () => {
  await checkProperty(
    fc.property(fc.array(step, { maxLength: 12 }), steps => {
      const blocks = new RowGroups<Row>()
      const places = new Map<string, unknown>()
      let rows: readonly Row[] = []
      for (const step of steps) {
        rows = after(rows, step)
        const cut = blocks.group(rows)
        assert.deepEqual(cut.flat(), rows)
        assert.equal(new Set(cut).size, cut.length, 'no block stands twice')
        for (const block of cut) {
          assert.ok(block.length <= 40, `${block.length} rows`)
          for (const { key } of block) {
            // Only a new order may separate rows of one group.
            if (step.what !== 'sort') assert.equal(places.get(key) ?? block, block)
            places.set(key, block)
          }
        }
      }
    })
  )
})

test('rows that are added one by one fill the groups', () => {
  const blocks = new RowGroups<Row>()
  let rows = fresh(45)
  for (let time = 0; time < 100; time += 1) {
    rows = fresh(1).concat(rows)
    blocks.group(rows)
  }
  assert.ok(blocks.group(rows).length <= 9, `${blocks.group(rows).length} blocks for 145 rows`)
})
