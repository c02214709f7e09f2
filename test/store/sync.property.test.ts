// With any loss, delay and order of frames and requests, every tab shows in the end what a new request returns.

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'

import { createNotifStore, type NotifStore } from '../../components/headless/index.ts'
import type { Notif } from '../../components/protocol/index.ts'
import { memoryInbox, type MemoryInbox } from '../../components/transport/memory.ts'
import { testSeeds } from '../support/generated.ts'
import { random as createRandom, type Random } from '../support/random.ts'
import { UnreliableNetwork } from './network.ts'
import { createTestEnvironment, type TestEnvironment } from './support.ts'

interface Tab {
  readonly store: NotifStore
  readonly reported: Notif[]
  /** An impossible state that was shown. */
  wrong: string | undefined
}

function openTab(inbox: MemoryInbox, network: UnreliableNetwork, own: TestEnvironment): Tab {
  const store = createNotifStore({
    environment: own,
    pageSize: 4,
    transport: network.wrap(inbox.transport())
  })
  const tab: Tab = { store, reported: [], wrong: undefined }
  store.onNewNotifications(items => tab.reported.push(...items))
  store.$notifications.listen(items => {
    const ids = items.map(item => item.id)
    if (new Set(ids).size < ids.length) tab.wrong = `doubled: ${ids.join()}`
    if (items.some((item, i) => i > 0 && items[i - 1]!.date <= item.date)) tab.wrong = `order: ${ids.join()}`
  })
  store.$counts.listen(({ unarchived, unopened }) => {
    if (unopened > unarchived || unopened < 0) tab.wrong = `counts: ${unopened}/${unarchived}`
  })
  return tab
}

function actRandomly(random: Random, { store }: Tab): void {
  const items = store.$notifications.get()
  const some = items.filter(() => random(3) === 0).map(item => item.id)
  const done = [
    () => store.markAsOpened(some),
    () => store.markAsOpened(),
    () => store.markAsUnopened(some),
    () => store.markAsArchived(some),
    () => store.markAsArchived('ALL'),
    () => store.markAsUnarchived(some),
    () => store.markAsClicked(some[0] ?? 'unknown'),
    () => store.loadMore(),
    () => store.reload()
  ][random(9)]!()
  done.catch(() => {})
}

function changeRandomly(random: Random, inbox: MemoryInbox, now: number): void {
  const items = inbox.page(100).items
  const some = items.filter(() => random(4) === 0).map(item => item.id)
  const date = new Date(now).toISOString()
  if (random(10) < 6) inbox.add({ title: `t${random(1000)}` })
  else if (random(3) === 0) inbox.remove(...some.slice(0, 2))
  else inbox.patch({ [random(2) ? 'opened' : 'archived']: random(3) ? date : null, trackingIds: some })
}

async function run(seed: number): Promise<void> {
  const random = createRandom(seed)
  const own = createTestEnvironment()
  const network = new UnreliableNetwork(random)
  const inbox = memoryInbox({
    items: Array.from({ length: random(14) }, (_, i) => ({ title: `s${i}` })),
    maxChanges: 3 + random(20),
    now: own.now
  })
  const tabs = [openTab(inbox, network, own), openTab(inbox, network, own)]

  for (let step = random(120); step >= 0; step--) {
    const what = random(100)
    if (what < 25) changeRandomly(random, inbox, own.now())
    else if (what < 40) actRandomly(random, tabs[random(2)]!)
    else if (what < 44) inbox.setOnline(random(3) > 0)
    else if (what < 46) own.signal((['hide', 'show', 'freeze', 'wake'] as const)[random(4)]!)
    else if (what < 52) own.advance(random(40_000))
    else if (!network.empty) network.step()
    await setImmediate()
  }

  network.bad = false
  own.signal('show')
  inbox.setOnline(false)
  inbox.setOnline(true)
  for (let quiet = 0; quiet < 3;) {
    if (network.empty) {
      quiet++
      own.advance(40_000)
      if (quiet === 1)
        for (const { store } of tabs) if (store.$loading.get().state === 'failed') void store.reload()
    } else network.step()
    await setImmediate()
  }

  for (const { store, reported, wrong } of tabs) {
    assert.equal(wrong, undefined)
    const items = store.$notifications.get()
    const loading = store.$loading.get()
    assert.equal(loading.state, 'ready')
    const fresh = inbox.page(loading.state === 'ready' && loading.more ? items.length : 1000)
    assert.deepEqual(items, fresh.items)
    assert.deepEqual(store.$counts.get(), fresh.counts)
    const ids = reported.map(item => item.id)
    assert.equal(new Set(ids).size, ids.length, 'reported twice')
    store.destroy()
  }
}

testSeeds(600, 'schedules end as a fresh fetch', run)
