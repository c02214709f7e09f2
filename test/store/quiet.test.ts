// A type becomes quiet from a notification of it: the notification is archived, the switches change, and undo restores both.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createNotifStore, TransportError, type NotifStore } from '../../components/headless/index.ts'
import type { Channel, Choice, Delivery, Preferences } from '../../components/protocol/index.ts'
import { memoryInbox, type MemoryInbox } from '../../components/transport/memory.ts'
import {
  createGatedTransport,
  createSharedCache,
  createTestEnvironment,
  flushPromises,
  type GatedTransport,
  type SharedCache,
  type TestEnvironment
} from './support.ts'

const choice = (channel: Channel, delivery: Delivery, notificationId = 'crew'): Choice => ({
  channel,
  delivery,
  notificationId
})

/** Sms is locked, and in-app and push know no other frequency. */
const PREFERENCES: Preferences = {
  notifications: ['crew', 'fixed'].map(notificationId => ({
    channels: ['EMAIL', 'INAPP_WEB', 'PUSH', 'SMS'],
    locked: notificationId === 'fixed' ? ['EMAIL', 'INAPP_WEB', 'PUSH', 'SMS'] : ['SMS'],
    notificationId,
    options: {
      EMAIL: { daily: {}, defaultDeliveryOption: 'instant', instant: {}, off: {}, weekly: {} },
      INAPP_WEB: { defaultDeliveryOption: 'instant', instant: {}, off: {} },
      PUSH: { defaultDeliveryOption: 'off', instant: {}, off: {} },
      SMS: { defaultDeliveryOption: 'instant', instant: {}, off: {} }
    },
    title: 'Crew invitations'
  })),
  preferences: [
    choice('EMAIL', 'weekly'),
    choice('INAPP_WEB', 'instant'),
    choice('PUSH', 'instant'),
    choice('SMS', 'instant'),
    choice('INAPP_WEB', 'instant', 'fixed')
  ],
  subNotifications: []
}
const BEFORE = 'weekly,instant,instant,instant'
const OFF = 'off,off,off,instant'
const DAILY = 'daily,off,off,instant'
const refused = new TransportError(403, 'No.')
const away = new TransportError(0, 'away')

interface Tab {
  readonly own: TestEnvironment
  readonly store: NotifStore
  readonly transport: GatedTransport
}

const createInbox = (): MemoryInbox =>
  memoryInbox({
    items: ['a', 'b'].map(id => ({ id, title: id, type: 'crew' })),
    preferences: PREFERENCES
  })

function openTab(inbox: MemoryInbox, sharedCache?: SharedCache): Tab {
  const own = createTestEnvironment(Date.now())
  const transport = createGatedTransport(inbox.transport(), sharedCache)
  const store = createNotifStore({ environment: own, transport })
  store.$notifications.listen(() => {})
  return { own, store, transport }
}

async function until(is: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (let i = 0; i < 500 && !(await is()); i++) await flushPromises()
  assert.ok(await is(), what)
}

const archived = ({ store }: Tab): string =>
  store.$notifications
    .get()
    .flatMap(item => (item.archived ? [item.id] : []))
    .join()

const crew = (choices: readonly Choice[]): string =>
  choices
    .filter(({ notificationId }) => notificationId === 'crew')
    .map(({ delivery }) => delivery)
    .join()

const onServer = async (inbox: MemoryInbox): Promise<string> =>
  crew((await inbox.transport().getPreferences()).preferences)

const shown = ({ store }: Tab): string => {
  const state = store.$preferences.get()
  return state.state === 'ready' ? crew(state.preferences) : state.state
}

for (const [verb, after] of [
  ['mute', OFF],
  ['digest', DAILY]
] as const)
  test(`${verb} archives the notification and changes the switches, and undo restores both, in each tab`, async () => {
    const inbox = createInbox()
    const [one, other] = [openTab(inbox), openTab(inbox)]
    for (const { store } of [one, other]) store.$preferences.listen(() => {})
    await until(() => shown(one) === BEFORE && shown(other) === BEFORE, 'read')
    const done = one.store[verb]('crew', ['a'])
    await flushPromises()
    assert.deepEqual([archived(one), shown(one)], ['a', after])
    const { action, count, ids, type } = one.store.$undoable.get()!
    assert.deepEqual({ action, count, ids, type }, { action: verb, count: 1, ids: ['a'], type: 'crew' })
    await done
    await until(() => archived(other) === 'a' && shown(other) === after, 'the other tab has it')
    await one.store.undo()
    await until(() => [one, other].every(tab => archived(tab) === '' && shown(tab) === BEFORE), 'it is back')
    assert.equal(await onServer(inbox), BEFORE)
    for (const { store } of [one, other]) store.destroy()
  })

test('undo leaves no choice where there was none', async () => {
  const inherited = memoryInbox({
    items: [{ id: 'a', title: 'a', type: 'crew' }],
    preferences: {
      ...PREFERENCES,
      preferences: PREFERENCES.preferences.map((row, i) =>
        i === 0 ? row : Object.assign({ isInherited: true as const }, row)
      )
    }
  })
  const tab = openTab(inherited)
  const rows = async (): Promise<readonly Choice[]> =>
    (await inherited.transport().getPreferences()).preferences
  const before = await rows()
  await tab.store.mute('crew', ['a'])
  assert.deepEqual(
    (await rows()).map(({ isInherited }) => isInherited),
    [undefined, undefined, undefined, true, true],
    'what was chosen is not inherited any more; a locked row stays'
  )
  await tab.store.undo()
  assert.deepEqual(await rows(), before)
  tab.store.destroy()
})

test('preferences that nobody follows are read before the choices are sent', async () => {
  const inbox = createInbox()
  const tab = openTab(inbox)
  await tab.store.reloadPreferences()
  await inbox.transport().updateDeliveries([choice('EMAIL', 'instant')])
  await tab.store.mute('crew', ['a'])
  assert.equal(await onServer(inbox), OFF)
  await tab.store.undo()
  assert.equal(await onServer(inbox), 'instant,instant,instant,instant')
  tab.store.destroy()
})

test('without a network it waits, and the next page sends it', async () => {
  const inbox = createInbox()
  const sharedCache = createSharedCache()
  const first = openTab(inbox, sharedCache)
  await until(() => first.store.$notifications.get().length === 2, 'loaded')
  for (const name of ['patch', 'choose', 'preferences'] as const) first.transport.fail(name, away)
  const done = first.store.mute('crew', ['a'])
  await until(() => sharedCache.actions.size === 2, 'both wait')
  assert.equal(archived(first), 'a')
  first.store.destroy()
  assert.equal(await done, 'left')
  assert.equal(await onServer(inbox), BEFORE)
  const second = openTab(inbox, sharedCache)
  second.own.advance(1000)
  await until(async () => archived(second) === 'a' && (await onServer(inbox)) === OFF, 'sent')
  await until(() => sharedCache.actions.size === 0, 'nothing waits')
  second.store.destroy()
})

test('what waits for a network is taken back without a request', async () => {
  const inbox = createInbox()
  const tab = openTab(inbox, createSharedCache())
  await until(() => tab.store.$notifications.get().length === 2, 'loaded')
  for (const name of ['patch', 'choose', 'preferences'] as const) tab.transport.fail(name, away)
  const done = tab.store.digest('crew', ['a'])
  await until(() => tab.transport.count('preferences') > 0, 'tried')
  const undone = tab.store.undo()
  await flushPromises()
  assert.equal(archived(tab), '')
  for (const name of ['patch', 'choose', 'preferences'] as const) tab.transport.fail(name, undefined)
  tab.own.advance(5000)
  await Promise.all([done, undone])
  assert.equal(await onServer(inbox), BEFORE)
  assert.equal(inbox.page(9).counts.unarchived, 2)
  tab.store.destroy()
})

test('if the switches are refused, the notification comes back', async () => {
  const inbox = createInbox()
  const tab = openTab(inbox)
  await until(() => tab.store.$notifications.get().length === 2, 'loaded')
  tab.transport.fail('choose', refused)
  await assert.rejects(tab.store.mute('crew', ['a']), refused)
  await until(() => archived(tab) === '' && inbox.page(9).counts.unarchived === 2, 'it is back')
  assert.equal(tab.store.$undoable.get(), undefined)
  tab.transport.fail('choose', undefined)
  tab.transport.fail('patch', refused)
  await assert.rejects(tab.store.mute('crew', ['a']), refused)
  await until(async () => (await onServer(inbox)) === BEFORE, 'the switches are back')
  tab.store.destroy()
})

test('a type that the user may not change is refused, and nothing is sent', async () => {
  const inbox = createInbox()
  const tab = openTab(inbox)
  await until(() => tab.store.$notifications.get().length === 2, 'loaded')
  for (const type of ['fixed', 'unknown'])
    for (const verb of ['mute', 'digest'] as const) {
      await assert.rejects(tab.store[verb](type, ['a']), RangeError)
      await until(() => archived(tab) === '', 'it is back')
    }
  assert.equal(tab.transport.count('choose'), 0)
  tab.store.destroy()
})
