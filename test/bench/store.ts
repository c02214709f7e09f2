// What one live notification costs a store that holds ten thousand, until its listeners have the new list: beside a copy of the same
// list with the notification in front, which no store of frozen lists can do without.

import { createNotifStore } from '../../components/headless/create-store.ts'
import type { InboxChange, Notif } from '../../components/protocol/index.ts'
import type { LiveEvent, Transport } from '../../components/store/transport.ts'
import { memoryInbox } from '../../components/testing.ts'
import { median, type Measurement, type Say } from './measure.ts'

const ITEMS = 10_000
/** Notifications of one round. */
const ARRIVALS = 200
/** Before the first round, so that both sides are compiled. */
const WARM_UP_ROUNDS = 2

const createItem = (rev: number): Notif => ({
  date: new Date(rev).toISOString(),
  id: `n${rev}`,
  rev,
  title: `Comment ${rev} on Harbour map`,
  type: 'bench_store'
})

interface LoadedStore {
  /** Applies one live change, whose notification is new. */
  arrive(): void
  /** What the listeners got last. */
  shown(): readonly Notif[]
  close(): void
}

/** A store that has loaded all items. Its transport counts nothing, as a server's message costs the page nothing but the change. */
async function loadStore(): Promise<LoadedStore> {
  const start = Date.now() - ITEMS
  let version = start + ITEMS
  const counts = (): InboxChange['counts'] => {
    const count = version - start
    return { snoozed: 0, unarchived: count, unopened: count, unseen: count }
  }
  const newestFirst = Array.from({ length: ITEMS }, (_, index) => createItem(version - index))
  let send: (event: LiveEvent) => void = () => {}
  const transport: Transport = {
    ...memoryInbox().transport(),
    connect(listener) {
      send = listener
      queueMicrotask(() => listener({ counts: counts(), type: 'head', version }))
      return () => {}
    },
    getPage: async () => ({ counts: counts(), items: newestFirst, version })
  }
  const store = createNotifStore({
    clientId: 'bench',
    environment: { ready: async () => {} },
    transport,
    userId: 'ada'
  })
  let shown: readonly Notif[] = []
  await new Promise<void>(resolve => {
    store.$notifications.subscribe(items => {
      shown = items
      if (items.length === ITEMS) resolve()
    })
  })
  return {
    arrive() {
      const prev = version
      version += 1
      send({
        change: { counts: counts(), items: [createItem(version)], prev, removed: [], version },
        type: 'change'
      })
    },
    close: () => store.destroy(),
    shown: () => shown
  }
}

/** Milliseconds of one call. */
function time(count: number, work: () => void): number {
  const from = performance.now()
  for (let i = 0; i < count; i += 1) work()
  return (performance.now() - from) / count
}

export async function store({ rounds, say }: Say): Promise<Measurement[]> {
  say(`one live notification among ${ITEMS}`)
  const store = await loadStore()
  let list: readonly Notif[] = store.shown()
  const copy = (): void => {
    list = Object.freeze([createItem(Date.now()), ...list])
  }
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round += 1) {
    const before = store.shown().length
    const [copied, arrived] = [time(ARRIVALS, copy), time(ARRIVALS, store.arrive)]
    if (store.shown().length !== before + ARRIVALS) throw new Error('The store did not show every arrival.')
    if (round < WARM_UP_ROUNDS) continue
    theirs.push(copied)
    ours.push(arrived)
  }
  store.close()
  return [
    {
      better: 'below',
      ceiling: { name: 'a frozen copy of the list', value: median(theirs) },
      floor: 1,
      goal: 1,
      name: `store, one live notification among ${ITEMS}`,
      ours: median(ours),
      promised: 'value',
      ratio: median(ours.map((value, round) => value / theirs[round]!)),
      unit: 'ms'
    }
  ]
}
