// Runs in the page before every file of element tests: reports the start of each test, and forbids assertions that hold nodes.
//
// The runner prints both sides of a failed assertion. Printing a node walks through the whole page, which can take for ever.

import { chai } from '@open-wc/testing'
import { executeServerCommand } from '@web/test-runner-commands'

import { TEST_STARTED } from './silence.ts'

beforeEach(async function () {
  await executeServerCommand(TEST_STARTED, this.currentTest.title)
})

/** Also in the lists and plain objects that tests put around the values that they compare. */
function holdsNode(value: unknown, depth = 3): boolean {
  if (value instanceof Node) return true
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  const isPlain = [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))
  return isPlain && Object.values(value).some(inner => holdsNode(inner, depth - 1))
}

chai.use(({ Assertion }, { flag }) => {
  const { assert } = Assertion.prototype
  Assertion.prototype.assert = function (...args) {
    if (holdsNode([flag(this, 'object'), args[3]]))
      throw new Error('This assertion holds a node: compare texts, numbers or booleans')
    assert.apply(this, args)
  }
})
