// The resolution of preferences against a model, and the properties of every matrix that legacy clients need.

import assert from 'node:assert/strict'

import { CHANNELS, DELIVERIES, type Channel, type Delivery } from '#protocol'

import { typeSettings, type NotificationType } from '../../../server/types/type.ts'
import { buildMatrix } from '../../../server/users/preferences/matrix.ts'
import type { Preference, Topic } from '../../../server/users/preferences/preference.ts'
import { resolveFrequency } from '../../../server/users/preferences/resolve.ts'
import { testGenerated } from '../../support/generated.ts'
import type { Random } from '../../support/random.ts'

const TYPES = ['a', 'b', 'c']
const SUBS = ['', 's1', 's2']

const oneOf = <T>(next: Random, list: readonly T[]): T => list[next(list.length)]!
const some = <T>(next: Random, list: readonly T[]): T[] => list.filter(() => next(2) === 0)

function typeOf(next: Random, id: string): NotificationType {
  const options = Object.fromEntries(
    some(next, CHANNELS).map(channel => [
      channel,
      {
        ...(next(2) === 0 && { defaultDeliveryOption: oneOf(next, DELIVERIES) }),
        ...Object.fromEntries(some(next, DELIVERIES).map(name => [name, { enabled: next(3) > 0 }]))
      }
    ])
  )
  return {
    channels: some(next, CHANNELS),
    id,
    settings: typeSettings.parse({ enabled: next(8) > 0, locked: some(next, CHANNELS.slice(0, 2)), options }),
    subs: new Map(some(next, SUBS.slice(1)).map(sub => [sub, `Title of ${sub}`])),
    templates: new Map(),
    title: oneOf(next, ['Zebra', 'apple', 'Ähre'])
  }
}

function preferencesOf(next: Random): Preference[] {
  const byKey = new Map<string, Preference>()
  for (let i = next(12); i > 0; i -= 1) {
    const one: Preference = {
      channel: oneOf(next, ['' as const, ...CHANNELS]),
      delivery: oneOf(next, DELIVERIES),
      notificationId: oneOf(next, TYPES),
      subNotificationId: oneOf(next, SUBS)
    }
    byKey.set(`${one.notificationId} ${one.subNotificationId} ${one.channel}`, one)
  }
  return [...byKey.values()]
}

/** The same rule as a list of keys, the most specific first. */
function model(
  channel: Channel,
  { notificationId, subNotificationId }: Topic,
  type: NotificationType,
  environment: { disabledChannels: Channel[]; defaults: Partial<Record<Channel, Delivery>> },
  preferences: readonly Preference[],
  channelsOff: readonly Channel[] = []
): Delivery {
  const isLocked = type.settings.locked!.includes(channel)
  if (!isLocked && channelsOff.includes(channel)) return 'off'
  const table = new Map(
    preferences.map(p => [JSON.stringify([p.notificationId, p.subNotificationId, p.channel]), p.delivery])
  )
  const places = [
    [notificationId, subNotificationId, channel],
    [notificationId, subNotificationId, ''],
    [notificationId, '', channel],
    [notificationId, '', '']
  ]
  const chosen = isLocked
    ? undefined
    : places.map(place => table.get(JSON.stringify(place))).find(found => found !== undefined)
  let found = chosen
  if (!found && environment.disabledChannels.includes(channel)) found = 'off'
  found ??= type.settings.options[channel]?.defaultDeliveryOption
  found ??= environment.defaults[channel]
  found ??= 'instant'
  return channel === 'INAPP_WEB' && found !== 'off' ? 'instant' : found
}

testGenerated(
  '2,000 random cases: the rule is the model’s, and the matrix what existing clients need',
  next => {
    for (let i = 0; i < 2000; i += 1) {
      const types = TYPES.map(id => typeOf(next, id))
      const environment = {
        defaults: Object.fromEntries(some(next, CHANNELS).map(name => [name, oneOf(next, DELIVERIES)])),
        disabledChannels: some(next, CHANNELS)
      }
      const preferences = preferencesOf(next)
      const received = some(next, TYPES).map(notificationId => ({
        notificationId,
        subNotificationId: oneOf(next, SUBS)
      }))
      const message = `case ${i}`
      const channelsOff = some(next, CHANNELS)
      for (const type of types) {
        for (const channel of CHANNELS) {
          for (const subNotificationId of SUBS) {
            const topic = { notificationId: type.id, subNotificationId }
            const { source, delivery } = resolveFrequency(channel, topic, { environment, preferences, type })
            assert.equal(delivery, model(channel, topic, type, environment, preferences), message)
            const switched = { channelsOff, environment, preferences, type }
            assert.equal(
              resolveFrequency(channel, topic, switched).delivery,
              model(channel, topic, type, environment, preferences, channelsOff),
              message
            )
            if (source !== 'user') {
              assert.equal(delivery, model(channel, topic, type, environment, []), message)
            }
          }
        }
      }

      const matrix = buildMatrix({
        environment,
        groupTitles: new Map(),
        preferences,
        receivedTopics: received,
        types
      })
      const rows = new Map(
        matrix.preferences.map(row => [
          `${row.notificationId} ${row.subNotificationId ?? ''} ${row.channel}`,
          row.delivery
        ])
      )
      assert.equal(rows.size, matrix.preferences.length, message)
      let expected = 0
      for (const { channels, notificationId, options, title } of matrix.notifications) {
        const type = types.find(({ id }) => id === notificationId)!
        assert.ok(type.settings.enabled, message)
        assert.equal(typeof title, 'string')
        assert.deepEqual([...channels].sort(), [...type.channels].sort(), message)
        assert.deepEqual(Object.keys(options), channels, message)
        const subs = matrix.subNotifications.filter(sub => sub.notificationId === notificationId)
        for (const channel of channels) {
          const { defaultDeliveryOption, ...choices } = options[channel]!
          assert.ok(choices[defaultDeliveryOption], message)
          for (const [name, choice] of Object.entries(choices)) {
            assert.equal((choice as { enabled: boolean }).enabled, true, message)
            const named: Record<string, { enabled?: boolean } | undefined> = {
              ...(type.settings.options[channel] as object)
            }
            const applies = matrix.preferences.some(
              row => row.notificationId === notificationId && row.channel === channel && row.delivery === name
            )
            if (name !== defaultDeliveryOption && !applies)
              assert.notEqual(named[name]?.enabled, false, message)
            if (channel === 'INAPP_WEB') assert.match(name, /^(?:off|instant)$/, message)
          }
          for (const subNotificationId of ['', ...subs.map(sub => sub.subNotificationId)]) {
            const topic = { notificationId, subNotificationId }
            const row = rows.get(`${notificationId} ${subNotificationId} ${channel}`)
            assert.equal(row, model(channel, topic, type, environment, preferences), message)
            assert.ok(choices[row!], message)
            expected += 1
          }
        }
      }
      assert.equal(rows.size, expected, message)
      for (const { notificationId, subNotificationId } of matrix.subNotifications) {
        const isTopic = (topic: Topic) =>
          topic.notificationId === notificationId && topic.subNotificationId === subNotificationId
        const titled = types.find(({ id }) => id === notificationId)!.subs.has(subNotificationId)
        assert.ok(preferences.some(isTopic) || (titled && received.some(isTopic)), message)
      }
    }
  }
)
