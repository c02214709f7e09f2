// Several tabs of one browser and an unreliable network: in the end every tab shows what a new request returns, no action is pending,
// and the last action of the user wins in any tab.

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'

import { createNotifStore, TransportError, type NotifStore } from '../../components/headless/index.ts'
import type { InboxChange, InboxPatch } from '../../components/protocol/index.ts'
import type { Environment, Signal } from '../../components/store/environment.ts'
import type { Transport } from '../../components/store/transport.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { testSeeds } from '../support/generated.ts'
import { random as createRandom, type Random } from '../support/random.ts'
import { createSharedCache, createTestEnvironment, type TestEnvironment } from './support.ts'

const ACTIONS = {
  archived: { off: 'markAsUnarchived', on: 'markAsArchived' },
  opened: { off: 'markAsUnopened', on: 'markAsOpened' }
} as const

/** The connection of one browser to the server: requests are slow, reordered and lost. */
class ServerConnection {
  online = true
  bad = true
  /** Status with which the server rejects some actions. */
  status = 503
  /** Requests that have not arrived, by page. */
  #flying: { readonly page: object; readonly happen: () => void }[] = []
  readonly #answers = new Map<string, InboxChange>()
  readonly #random: Random
  readonly story: string[]

  constructor(random: Random, story: string[]) {
    this.#random = random
    this.story = story
  }

  get empty(): boolean {
    return this.#flying.length === 0
  }

  step(): void {
    const [next] = this.#flying.splice(this.#random(this.#flying.length), 1)
    next?.happen()
  }

  /** Closes a page: its requests arrive now or never. */
  leave(page: object): void {
    const own = this.#flying.filter(one => one.page === page)
    this.#flying = this.#flying.filter(one => one.page !== page)
    for (const { happen } of own) if (this.#random(2)) happen()
  }

  #request<T>(page: object, answer: () => Promise<T>, status = 503): Promise<T> {
    return new Promise((resolve, reject) => {
      const later = (happen: () => void): void => void this.#flying.push({ happen, page })
      const lost = (status = 0): void => later(() => reject(new TransportError(status, 'lost')))
      const fails = (): boolean => !this.online || (this.bad && this.#random(10) === 0)
      later(() => {
        if (fails()) return lost()
        if (this.bad && this.#random(10) === 0) return lost(status)
        void answer().then(value => (fails() ? lost() : later(() => resolve(value))), reject)
      })
    })
  }

  wrap(inner: Transport, page: object, name: string): Transport {
    const patch = async (given: InboxPatch, key: string): Promise<InboxChange> => {
      const known = this.#answers.get(key)
      this.story.push(`  server: ${name} ${key.slice(0, 4)} ${JSON.stringify(given)}${known ? ' again' : ''}`)
      const change = known ?? (await inner.patch(given))
      this.#answers.set(key, change)
      return change
    }
    return {
      ...inner,
      getChanges: since => this.#request(page, () => inner.getChanges(since)),
      getPage: (count, cursor) => this.#request(page, () => inner.getPage(count, cursor)),
      patch: (given, key = '') => this.#request(page, () => patch(given, key), this.status)
    }
  }
}

interface Tab {
  readonly page: object
  /** Makes the page visible. */
  readonly show: () => void
  readonly store: NotifStore
}

async function run(seed: number): Promise<void> {
  const random = createRandom(seed)
  const mark = (['archived', 'opened'] as const)[random(2)]!
  const refuses = random(4) === 0
  const own: TestEnvironment = createTestEnvironment()
  const sharedCache = createSharedCache()
  const story: string[] = []
  const way = new ServerConnection(random, story)
  if (refuses) way.status = 403
  const inbox = memoryInbox({
    items: Array.from({ length: 4 }, (_, i) => ({ id: `i${i}`, title: `t${i}` })),
    now: own.now
  })
  /** Last action by id. */
  const last = new Map<string, boolean>()
  let opened = 0

  function open(): Tab {
    const page = {}
    const transport = way.wrap(
      { ...inbox.transport(), openCache: sharedCache.open },
      page,
      `page ${opened++}`
    )
    const watchers = new Set<(signal: Signal) => void>()
    const environment: Environment = {
      ...own,
      watch(listener) {
        watchers.add(listener)
        return () => watchers.delete(listener)
      }
    }
    const show = (): void => watchers.forEach(watch => watch('show'))
    const store = createNotifStore({ environment, transport })
    store.$notifications.listen(() => {})
    store.$counts.listen(() => {})
    return { page, show, store }
  }

  /** Undefined while a page loads. */
  const tabs: (Tab | undefined)[] = Array.from({ length: 2 + random(2) }, open)

  function act(index: number): void {
    if (!tabs[index]) return
    const { show, store } = tabs[index]
    show()
    const items = store.$notifications.get()
    const { off, on } = ACTIONS[mark]
    const now = own.now()
    const what = random(6)
    if (what === 0) {
      if (store.$counts.get()[mark === 'archived' ? 'unarchived' : 'unopened'] === 0 || items.length === 0)
        return
      story.push(`${now % 1e6} tab ${index}: all`)
      for (const { id } of items) last.set(id, true)
      const done = mark === 'archived' ? store.markAsArchived('ALL') : store.markAsOpened()
      done.catch(() => {})
      return
    }
    const item = items[random(items.length)]
    if (!item) return
    const to = random(2) === 0
    if (Boolean(item[mark]) === to) return
    story.push(`${now % 1e6} tab ${index}: ${to ? on : off} ${item.title}`)
    last.set(item.id, to)
    store[to ? on : off]([item.id]).catch(() => {})
  }

  /** Closes a page and opens it again some time later. */
  function comeOrGo(index: number): void {
    story.push(`tab ${index}: ${tabs[index] ? 'goes' : 'comes'}`)
    if (!tabs[index]) {
      tabs[index] = open()
      return
    }
    way.leave(tabs[index].page)
    tabs[index].store.destroy()
    tabs[index] = undefined
  }

  for (let step = 40 + random(60); step >= 0; step--) {
    const what = random(100)
    own.advance(1)
    if (what < 25) act(random(tabs.length))
    else if (what < 33) comeOrGo(random(tabs.length))
    else if (what < 37) {
      way.online = !way.online
      story.push(way.online ? 'online' : 'offline')
      inbox.setOnline(way.online)
    } else if (what < 40) inbox.add({ title: `s${step}` })
    else if (what < 45) own.advance(random(4000))
    else if (!way.empty) way.step()
    for (let i = random(4); i >= 0; i--) await setImmediate()
  }

  tabs.forEach((tab, index) => tab ?? comeOrGo(index))
  way.bad = false
  way.online = true
  inbox.setOnline(false)
  inbox.setOnline(true)
  story.push('online for good')
  for (let quiet = 0; quiet < 4;) {
    if (way.empty) {
      quiet++
      own.advance(70_000)
      for (const { show } of tabs as Tab[]) show()
    } else {
      quiet = 0
      way.step()
    }
    await setImmediate()
    await setImmediate()
  }

  try {
    assert.equal(sharedCache.actions.size, 0, 'nothing waits')
    const fresh = inbox.page(1000)
    for (const { store } of tabs as Tab[]) {
      const items = store.$notifications.get()
      assert.deepEqual(items, fresh.items)
      assert.deepEqual(store.$counts.get(), fresh.counts)
    }
    if (!refuses)
      for (const item of fresh.items)
        if (last.has(item.id)) assert.equal(Boolean(item[mark]), last.get(item.id), item.title)
  } catch (error) {
    throw new Error(story.join('\n'), { cause: error })
  } finally {
    for (const tab of tabs) tab?.store.destroy()
  }
}

testSeeds(300, 'schedules of tabs end as the person wanted', run)
