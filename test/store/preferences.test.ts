// Preferences of a store: choices are shown immediately, rolled back alone if refused, and the same in every tab.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createNotifStore, TransportError, type NotifStore } from '../../components/headless/index.ts'
import { createLazyStore } from '../../components/live/lazy-store.ts'
import type { Choice, Delivery, Preferences } from '../../components/protocol/index.ts'
import { memoryInbox, type MemoryInbox } from '../../components/transport/memory.ts'
import {
  createGatedTransport,
  flushPromises,
  createSharedCache,
  createTestEnvironment,
  type GatedTransport,
  type SharedCache,
  type TestEnvironment
} from './support.ts'

const createChoice = (
  notificationId: string,
  channel: Choice['channel'],
  delivery: Delivery,
  sub?: string
): Choice => ({
  channel,
  delivery,
  notificationId,
  ...(sub !== undefined && { subNotificationId: sub })
})

const HARBOUR: Preferences = {
  notifications: [
    {
      channels: ['EMAIL', 'INAPP_WEB'],
      notificationId: 'boats',
      options: { EMAIL: { daily: {}, defaultDeliveryOption: 'instant', instant: {}, off: {} } },
      title: 'Boats'
    }
  ],
  preferences: [
    createChoice('boats', 'EMAIL', 'instant'),
    createChoice('boats', 'INAPP_WEB', 'instant'),
    createChoice('boats', 'EMAIL', 'instant', 'night')
  ],
  subNotifications: [{ notificationId: 'boats', subNotificationId: 'night', title: 'Night boats' }]
}

interface Tab {
  readonly own: TestEnvironment
  readonly store: NotifStore
  readonly transport: GatedTransport
}

function openTab(inbox: MemoryInbox, make: 'late' | 'whole' = 'whole', sharedCache?: SharedCache): Tab {
  const own = createTestEnvironment()
  const transport = createGatedTransport(inbox.transport(), sharedCache)
  const store =
    make === 'late'
      ? createLazyStore({ environment: own, transport })
      : createNotifStore({ environment: own, transport })
  return { own, store, transport }
}

function describePreferences({ $preferences }: NotifStore): string {
  const state = $preferences.get()
  return state.state === 'ready' ? state.preferences.map(({ delivery }) => delivery).join() : state.state
}

const createHarbourInbox = (): MemoryInbox => memoryInbox({ preferences: HARBOUR })
const refused = new TransportError(422, 'No.')

async function until(is: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !is(); i++) await flushPromises()
  assert.ok(is())
}

for (const make of ['late', 'whole'] as const) {
  test(`${make}: requests nothing before the first listener and after the last one`, async t => {
    const { own, store, transport } = openTab(createHarbourInbox(), make)
    await flushPromises()
    assert.equal(transport.count('preferences'), 0)
    const stop = store.$preferences.listen(() => {})
    await until(() => describePreferences(store) === 'instant,instant,instant')
    assert.equal(transport.count('preferences'), 1)
    assert.equal(transport.count('page'), 0)
    own.signal('show')
    await until(() => transport.count('preferences') === 2)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    stop()
    // An element that is moved subscribes again within a second.
    t.mock.timers.tick(1000)
    await flushPromises()
    own.signal('show')
    await flushPromises()
    assert.equal(transport.count('preferences'), 2)
  })

  test(`${make}: shows a choice immediately, and then the rows that it changed on the server`, async () => {
    const inbox = createHarbourInbox()
    const { store, transport } = openTab(inbox, make)
    const stop = store.$preferences.listen(() => {})
    await until(() => describePreferences(store) === 'instant,instant,instant')
    transport.hold('choose')
    const done = store.updateDelivery('boats', 'EMAIL', 'daily')
    assert.equal(describePreferences(store), 'daily,instant,instant')
    await flushPromises()
    // On the server the sub-notification follows its type.
    inbox.prefer({
      ...HARBOUR,
      preferences: [
        createChoice('boats', 'EMAIL', 'daily'),
        createChoice('boats', 'INAPP_WEB', 'instant'),
        createChoice('boats', 'EMAIL', 'daily', 'night')
      ]
    })
    await transport.release('choose')
    await done
    await until(() => describePreferences(store) === 'daily,instant,daily')
    stop()
  })
}

test('rolls back only the refused choice, also if the refusal arrives late', async () => {
  const { own, store, transport } = openTab(createHarbourInbox())
  const stop = store.$preferences.listen(() => {})
  await until(() => describePreferences(store) === 'instant,instant,instant')
  transport.hold('choose')
  transport.fail('choose', refused)
  const bad = store.updateDelivery('boats', 'EMAIL', 'off')
  const caught = assert.rejects(bad, refused)
  await flushPromises()
  const good = store.updateDelivery('boats', 'INAPP_WEB', 'off')
  const later = store.updateDelivery('boats', 'EMAIL', 'daily', 'night')
  own.signal('show')
  await until(() => transport.count('preferences') === 2)
  assert.equal(describePreferences(store), 'off,off,daily')
  transport.fail('choose', undefined)
  await transport.release('choose')
  await caught
  assert.equal(describePreferences(store), 'instant,off,daily')
  await Promise.all([good, later])
  await until(() => transport.count('preferences') === 3)
  assert.equal(describePreferences(store), 'instant,off,daily')
  assert.deepEqual(
    transport.calls.filter(({ name }) => name === 'choose').map(({ args }) => args[0]),
    [
      [createChoice('boats', 'EMAIL', 'off')],
      [createChoice('boats', 'INAPP_WEB', 'off')],
      [createChoice('boats', 'EMAIL', 'daily', 'night')]
    ]
  )
  stop()
})

test('a page cannot change the values that it reads', async () => {
  const { store } = openTab(createHarbourInbox())
  const stop = store.$preferences.listen(() => {})
  await until(() => describePreferences(store) === 'instant,instant,instant')
  const state = store.$preferences.get()
  assert.ok(state.state === 'ready')
  for (const rows of [state.notifications, state.preferences, state.subNotifications]) {
    for (const one of [rows, ...rows]) assert.throws(() => Object.assign(one, [one]), TypeError)
  }
  assert.throws(() => Object.assign(state, { preferences: [] }), TypeError)
  stop()
})

test('stores or rolls back several choices together', async () => {
  const { store, transport } = openTab(createHarbourInbox())
  const stop = store.$preferences.listen(() => {})
  await until(() => describePreferences(store) === 'instant,instant,instant')
  transport.fail('choose', refused)
  const both = store.updateDeliveries([
    createChoice('boats', 'EMAIL', 'off'),
    createChoice('boats', 'INAPP_WEB', 'off')
  ])
  assert.equal(describePreferences(store), 'off,off,instant')
  await assert.rejects(both, refused)
  assert.equal(describePreferences(store), 'instant,instant,instant')
  stop()
})

test('an answer to an earlier read does not undo a choice', async () => {
  const { own, store, transport } = openTab(createHarbourInbox())
  const stop = store.$preferences.listen(() => {})
  await until(() => describePreferences(store) === 'instant,instant,instant')
  transport.hold('preferences')
  own.signal('show')
  await flushPromises()
  const done = store.updateDelivery('boats', 'EMAIL', 'off')
  await done
  await transport.release('preferences')
  assert.equal(describePreferences(store), 'off,instant,instant')
  await until(() => transport.count('preferences') === 3)
  assert.equal(describePreferences(store), 'off,instant,instant')
  stop()
})

for (const make of ['late', 'whole'] as const) {
  test(`${make}: another tab or device shows a choice after one read`, async () => {
    const inbox = createHarbourInbox()
    const one = openTab(inbox, make)
    const two = openTab(inbox, make)
    const stops = [one, two].map(({ store }) => store.$preferences.listen(() => {}))
    await until(() =>
      [one, two].every(({ store }) => describePreferences(store) === 'instant,instant,instant')
    )
    await until(() => [one, two].every(({ transport }) => transport.listeners.size === 1))
    await flushPromises()
    await one.store.updateDelivery('boats', 'EMAIL', 'off')
    await until(() => describePreferences(two.store) === 'off,instant,instant')
    for (let i = 0; i < 20; i++) await flushPromises()
    assert.deepEqual([one.transport.count('preferences'), two.transport.count('preferences')], [2, 2])
    for (const stop of stops) stop()
  })

  test(`${make}: reads the preferences once when a type arrives for the first time`, async () => {
    const inbox = createHarbourInbox()
    const { store, transport } = openTab(inbox, make)
    const stop = store.$preferences.listen(() => {})
    await until(
      () => describePreferences(store) === 'instant,instant,instant' && transport.listeners.size === 1
    )
    await flushPromises()
    inbox.add({ title: 'A boat', type: 'boats' })
    inbox.add({ title: 'A concert', type: 'concerts' })
    await until(() => transport.count('preferences') === 2)
    inbox.add({ title: 'Another concert', type: 'concerts' })
    for (let i = 0; i < 20; i++) await flushPromises()
    assert.equal(transport.count('preferences'), 2)
    assert.equal(transport.count('page'), 0)
    stop()
  })
}

test('reads the preferences again when the connection comes back', async () => {
  const inbox = createHarbourInbox()
  const { store, transport } = openTab(inbox, 'late')
  const stop = store.$preferences.listen(() => {})
  const leave = store.$connection.listen(() => {})
  await until(
    () =>
      describePreferences(store) === 'instant,instant,instant' && store.$connection.get().state === 'online'
  )
  const before = transport.count('preferences')
  inbox.setOnline(false)
  inbox.setOnline(true)
  await until(() => transport.count('preferences') === before + 1)
  stop()
  leave()
})

test('a failed read is shown, and repeated by itself and by the user', async () => {
  const { own, store, transport } = openTab(createHarbourInbox())
  transport.fail('preferences', new TransportError(0, 'away'))
  const stop = store.$preferences.listen(() => {})
  await until(() => describePreferences(store) === 'failed')
  await store.reloadPreferences()
  assert.equal(transport.count('preferences'), 2)
  transport.fail('preferences', undefined)
  own.advance(60_000)
  await until(() => describePreferences(store) === 'instant,instant,instant')
  // Preferences that are shown stay.
  transport.fail('preferences', new TransportError(0, 'away'))
  await store.reloadPreferences()
  assert.equal(describePreferences(store), 'instant,instant,instant')
  stop()
})

const unreachable = new TransportError(0, 'away')

for (const make of ['late', 'whole'] as const) {
  test(`${make}: the next page sends a choice that did not reach the server, with the same key`, async () => {
    const [inbox, sharedCache] = [createHarbourInbox(), createSharedCache()]
    const one = openTab(inbox, make, sharedCache)
    const leave = one.store.$preferences.listen(() => {})
    await until(() => describePreferences(one.store) === 'instant,instant,instant')
    one.transport.fail('choose', unreachable)
    const done = one.store.updateDelivery('boats', 'EMAIL', 'off')
    await until(() => sharedCache.actions.size === 1 && one.own.waiting > 0)
    assert.equal(describePreferences(one.store), 'off,instant,instant')
    leave()
    one.store.destroy()
    assert.equal(await done, 'left')
    assert.equal(describePreferences(one.store), 'busy')
    await assert.rejects(one.store.updateDelivery('boats', 'EMAIL', 'daily'), /destroyed/)

    // That page does not show the preferences.
    const two = openTab(inbox, make, sharedCache)
    const leaveToo = two.store.$notifications.listen(() => {})
    await until(() => sharedCache.actions.size === 0)
    const keys = [one, two].map(({ transport }) =>
      transport.calls.flatMap(({ args, name }) => (name === 'choose' ? [args[1]] : []))
    )
    assert.deepEqual(keys[0], keys[1])
    leaveToo()
    const three = openTab(inbox, make, sharedCache)
    const leaveThree = three.store.$preferences.listen(() => {})
    await until(() => describePreferences(three.store) === 'off,instant,instant')
    leaveThree()
  })
}

/** The harbour with a pause and with a switch for each channel. */
const withPause = (): Preferences => ({
  ...HARBOUR,
  channels: { EMAIL: { on: true } },
  pause: { isOn: false, until: null }
})

const describeSettings = (store: NotifStore): string => {
  const state = store.$preferences.get()
  return state.state === 'ready' ? `${state.channels?.EMAIL?.on} ${state.pause?.isOn}` : state.state
}

test('settings that do not reach the server are shown, and sent later in their order with choices', async () => {
  const [inbox, sharedCache] = [memoryInbox({ preferences: withPause() }), createSharedCache()]
  const { own, store, transport } = openTab(inbox, 'whole', sharedCache)
  const stop = store.$preferences.listen(() => {})
  await until(() => describeSettings(store) === 'true false')
  transport.fail('settings', unreachable)
  const done = [
    store.updateSettings({ pause: { isOn: true } }),
    store.updateDelivery('boats', 'EMAIL', 'off'),
    store.updateSettings({ channels: { EMAIL: { on: false } } })
  ]
  await until(() => sharedCache.actions.size === 3 && own.waiting > 0)
  assert.equal(describeSettings(store), 'false true')
  assert.equal(describePreferences(store), 'off,instant,instant')
  transport.fail('settings', undefined)
  own.signal('wake')
  await Promise.all(done)
  const sent = transport.calls.filter(({ name }) => name === 'settings' || name === 'choose')
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['settings', 'settings', 'choose', 'settings']
  )
  assert.equal(sent[0]!.args[1], sent[1]!.args[1], 'the same key')
  await until(() => sharedCache.actions.size === 0)
  assert.equal(describeSettings(store), 'false true')
  stop()
})

test('the next page sends settings that did not reach the server', async () => {
  const [inbox, sharedCache] = [memoryInbox({ preferences: withPause() }), createSharedCache()]
  const one = openTab(inbox, 'late', sharedCache)
  const leave = one.store.$preferences.listen(() => {})
  await until(() => describeSettings(one.store) === 'true false')
  one.transport.fail('settings', unreachable)
  const done = one.store.updateSettings({ pause: { isOn: true } })
  await until(() => sharedCache.actions.size === 1 && one.own.waiting > 0)
  leave()
  one.store.destroy()
  assert.equal(await done, 'left')
  const two = openTab(inbox, 'late', sharedCache)
  const leaveToo = two.store.$preferences.listen(() => {})
  await until(() => sharedCache.actions.size === 0 && describeSettings(two.store) === 'true true')
  leaveToo()
})

test('refused settings are rolled back alone', async () => {
  const { store, transport } = openTab(memoryInbox({ preferences: withPause() }))
  const stop = store.$preferences.listen(() => {})
  await until(() => describeSettings(store) === 'true false')
  transport.fail('settings', new TransportError(422, 'wrong'))
  const refused = store.updateSettings({ pause: { isOn: true } })
  assert.equal(describeSettings(store), 'true true')
  await assert.rejects(refused, /wrong/)
  assert.equal(describeSettings(store), 'true false')
  stop()
})

test('after the data of a user was deleted, no page sends a choice', async () => {
  const [inbox, sharedCache] = [createHarbourInbox(), createSharedCache()]
  const one = openTab(inbox, 'late', sharedCache)
  const other = openTab(inbox, 'late', sharedCache)
  for (const { store } of [one, other]) {
    store.$preferences.listen(() => {})
    await until(() => describePreferences(store) === 'instant,instant,instant')
  }
  other.transport.fail('choose', unreachable)
  const done = other.store.updateDelivery('boats', 'EMAIL', 'off')
  await until(() => sharedCache.actions.size === 1 && other.own.waiting > 0)
  one.store.destroy({ forget: true })
  assert.equal(await done, 'left')
  await until(() => sharedCache.actions.size === 0)
  const before = other.transport.count('choose')
  other.transport.fail('choose', undefined)
  other.own.advance(120_000)
  other.own.signal('wake')
  for (let i = 0; i < 20; i++) await flushPromises()
  assert.equal(other.transport.count('choose'), before)
  assert.equal(describePreferences(other.store), 'busy')
})

test('without storage a choice that does not reach the server is refused', async () => {
  const { store, transport } = openTab(createHarbourInbox())
  const stop = store.$preferences.listen(() => {})
  await until(() => describePreferences(store) === 'instant,instant,instant')
  transport.fail('choose', unreachable)
  await assert.rejects(store.updateDelivery('boats', 'EMAIL', 'off'), unreachable)
  assert.equal(describePreferences(store), 'instant,instant,instant')
  stop()
})
