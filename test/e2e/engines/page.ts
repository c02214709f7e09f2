// A page as a path uses it, in any engine. A target is written as `find` of in-page.ts says. Everything waits for its condition.

import assert from 'node:assert/strict'

import { until } from '../../support/process.ts'
import type { Size, Tab } from './engine.ts'
import { find, focused, spot, texts, type Find, type Spot } from './in-page.ts'

/** Stops on the way of Tab until an element is reached. */
const MAX_TAB_STOPS = 16

export interface Box extends Size {
  readonly x: number
  readonly y: number
}

export class Page {
  readonly tab: Tab
  isClosed = false

  constructor(tab: Tab) {
    this.tab = tab
  }

  /** Calls a function in the page. It uses nothing outside itself but its arguments, which are values of JSON. */
  evaluate<T, A extends readonly unknown[]>(
    run: (find: Find, ...given: A) => T | Promise<T>,
    ...given: A
  ): Promise<T> {
    const values = given.map(value => `, ${JSON.stringify(value)}`).join('')
    return this.tab.evaluate(`(${run.toString()})(${find.toString()}${values})`)
  }

  /** Waits until a function in the page returns what is wanted. */
  async shows<T, A extends readonly unknown[]>(
    run: (find: Find, ...given: A) => T | Promise<T>,
    wanted: T,
    ...given: A
  ): Promise<void> {
    let now: unknown
    const isReached = async (): Promise<boolean> => {
      // A page that goes to another address cannot answer.
      now = await this.evaluate(run, ...given).catch(String)
      return JSON.stringify(now) === JSON.stringify(wanted)
    }
    await until(isReached, '').catch(() =>
      assert.deepEqual(now, wanted, `${given.join()} does not become what is wanted`)
    )
  }

  texts(target: string): Promise<string[]> {
    return this.evaluate(texts, target)
  }

  /** Waits until the visible elements have exactly these texts. */
  lists(target: string, ...wanted: readonly string[]): Promise<void> {
    return this.shows(texts, [...wanted], target)
  }

  /** Waits until such an element is visible. */
  sees(target: string): Promise<void> {
    return this.shows((find, name) => find(name).length > 0, true, target)
  }

  /** Waits until no such element is visible. */
  lacks(target: string): Promise<void> {
    return this.shows((find, name) => find(name).length, 0, target)
  }

  /** Moves the mouse to the only such element, again if it has moved meanwhile. */
  async hover(target: string): Promise<void> {
    let found: Spot | string = ''
    let [x, y] = [-1, -1]
    const isReached = async (): Promise<boolean> => {
      found = await this.evaluate(spot, target).catch(String)
      if (typeof found === 'string') return false
      if (found.x === x && found.y === y) return true
      ;({ x, y } = found)
      await this.tab.moveTo(x, y)
      return false
    }
    await until(isReached, '').catch(() =>
      assert.fail(`the mouse does not reach ${target}: ${JSON.stringify(found)}`)
    )
  }

  async click(target: string): Promise<void> {
    await this.hover(target)
    await this.tab.click()
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.tab.press(key)
  }

  /** `button.bell Notifications` */
  focused(): Promise<string> {
    return this.evaluate(focused)
  }

  /** Waits until the focus is on such an element. */
  async isFocused(wanted: RegExp): Promise<void> {
    let now = ''
    const isReached = async (): Promise<boolean> => wanted.test((now = await this.focused()))
    await until(isReached, '').catch(() => assert.match(now, wanted))
  }

  /** Presses Tab, or another key, until the focus is on such an element. */
  async tabTo(wanted: RegExp, key = 'Tab'): Promise<void> {
    for (let stops = 0; stops < MAX_TAB_STOPS; stops++) {
      if (wanted.test(await this.focused())) return
      await this.press(key)
    }
    assert.fail(`${wanted} is not reached; at ${await this.focused()}`)
  }

  /** Where the only such element is, in CSS pixels of the viewport. */
  async box(target: string): Promise<Box> {
    await this.sees(target)
    return this.evaluate((find, name) => {
      const { height, width, x, y } = find(name)[0]!.getBoundingClientRect()
      return { height, width, x, y }
    }, target)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.tab.close()
  }

  /** What the page complained about, if it has RECORDER. */
  complaints(): Promise<string[]> {
    return this.evaluate(() => globalThis.complaints ?? [])
  }
}
