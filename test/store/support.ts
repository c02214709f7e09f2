// An environment that a test drives: clock, timers, signals, a transport that can be held, and an offline cache in memory.

import { setImmediate } from 'node:timers/promises'

import type { InboxPage } from '../../components/protocol/index.ts'
import type { Environment, Signal } from '../../components/store/environment.ts'
import type {
  OfflineCache,
  StoredAction,
  StoredChoices,
  LiveEvent,
  Transport
} from '../../components/store/transport.ts'

export interface TestEnvironment extends Environment {
  /** Moves the clock and runs the timers that are due, in their order. */
  advance(ms: number): void
  signal(signal: Signal): void
  readonly waiting: number
}

export function createTestEnvironment(start = Date.UTC(2026, 10, 20)): TestEnvironment {
  let time = start
  const timers = new Set<{ at: number; callback: () => void }>()
  const watchers = new Set<(signal: Signal) => void>()
  return {
    advance(ms) {
      const end = time + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (!next) break
        timers.delete(next)
        time = next.at
        next.callback()
      }
      time = end
    },
    after(ms, callback) {
      const timer = { at: time + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    now: () => time,
    ready: async () => {},
    signal(signal) {
      for (const watcher of watchers) watcher(signal)
    },
    get waiting() {
      return timers.size
    },
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    }
  }
}

/** Runs everything that waits only for promises. */
export async function flushPromises(): Promise<void> {
  for (let i = 0; i < 3; i++) await setImmediate()
}

type Call =
  | 'counts'
  | 'page'
  | 'changes'
  | 'patch'
  | 'identify'
  | 'preferences'
  | 'choose'
  | 'settings'
  | 'topic'

export interface GatedTransport extends Transport {
  readonly calls: { readonly name: Call; readonly args: readonly unknown[] }[]
  /** Listeners of open connections. */
  readonly listeners: Set<(event: LiveEvent) => void>
  count(name: Call): number
  /** Holds answers of this kind until `release`; the request itself arrives immediately. */
  hold(name: Call): void
  /** Delivers held answers and all later ones. */
  release(name: Call): Promise<void>
  /** Fails requests of this kind; undefined: none. */
  fail(name: Call, error: Error | undefined): void
  /** Whether live events are lost. */
  deaf: boolean
}

export interface SharedCache {
  readonly actions: Map<string, StoredAction | StoredChoices>
  /** Opens the cache for one page. */
  open(forgotten: () => void): Promise<OfflineCache>
}

/** The offline cache of a browser, for the pages of one test. */
export function createSharedCache(): SharedCache {
  const actions: SharedCache['actions'] = new Map()
  /** Page that sends an action, by its key. */
  const owners = new Map<string, object>()
  const pages = new Map<object, () => void>()
  let page: InboxPage | undefined
  return {
    actions,
    async open(forgotten) {
      const me = {}
      pages.set(me, forgotten)
      const adopt = <T>(is: (one: object) => boolean): T[] =>
        [...actions.values()].filter(one => {
          if (!is(one) || !pages.has(me) || pages.has(owners.get(one.key)!)) return false
          owners.set(one.key, me)
          return true
        }) as T[]
      return {
        claimActions: async () => adopt<StoredAction>(one => 'patch' in one),
        claimChoices: async () => adopt<StoredChoices>(one => 'choices' in one),
        close: () => void pages.delete(me),
        async delete(key) {
          if (pages.has(me)) actions.delete(key)
        },
        async forget() {
          actions.clear()
          page = undefined
          for (const [other, forgotten] of pages) if (other !== me) forgotten()
        },
        readInbox: async () => page,
        async put(action) {
          if (!pages.has(me)) return false
          owners.set(action.key, me)
          actions.set(action.key, action)
          return true
        },
        async writeInbox(newest) {
          if (pages.has(me)) page = newest
        }
      }
    }
  }
}

export function createGatedTransport(inner: Transport, sharedCache?: SharedCache): GatedTransport {
  const calls: GatedTransport['calls'][number][] = []
  const listeners = new Set<(event: LiveEvent) => void>()
  const held = new Map<Call, (() => void)[]>()
  const errors = new Map<Call, Error>()

  async function pass<T>(name: Call, args: readonly unknown[], call: () => Promise<T>): Promise<T> {
    calls.push({ args, name })
    const error = errors.get(name)
    const answer = error ? Promise.reject(error) : call()
    answer.catch(() => {})
    const gate = held.get(name)
    if (gate) await new Promise<void>(resolve => gate.push(resolve))
    return answer
  }

  const own: GatedTransport = {
    calls,
    updateDeliveries: (choices, key) => pass('choose', [choices, key], () => inner.updateDeliveries(choices)),
    ...(sharedCache && { openCache: sharedCache.open }),
    getPreferences: () => pass('preferences', [], () => inner.getPreferences()),
    updateSettings: (patch, key) => pass('settings', [patch, key], () => inner.updateSettings(patch, key)),
    updateTopic: (id, isMember) => pass('topic', [id, isMember], () => inner.updateTopic(id, isMember)),
    getChanges: since => pass('changes', [since], () => inner.getChanges(since)),
    connect(listener, version) {
      const hear = (event: LiveEvent): void => {
        if (!own.deaf) listener(event)
      }
      listeners.add(listener)
      const end = inner.connect(hear, version)
      return () => {
        listeners.delete(listener)
        end()
      }
    },
    count: name => calls.filter(call => call.name === name).length,
    deaf: false,
    fail(name, error) {
      if (error) errors.set(name, error)
      else errors.delete(name)
    },
    hold: name => held.set(name, []),
    setWebPushOptIn: on => inner.setWebPushOptIn(on),
    identify: identity => pass('identify', [identity], () => inner.identify(identity)),
    listeners,
    getPage: (count, cursor, filter) =>
      pass('page', [count, cursor, ...(filter ? [filter] : [])], () => inner.getPage(count, cursor, filter)),
    getTypeCounts: (types, tags) => pass('counts', [types, tags], () => inner.getTypeCounts(types, tags)),
    patch: (patch, key) => pass('patch', [patch, key], () => inner.patch(patch)),
    async release(name) {
      const gate = held.get(name) ?? []
      held.delete(name)
      for (const open of gate) open()
      await flushPromises()
    }
  }
  return own
}
