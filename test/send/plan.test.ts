// The plan of a send: a table of cases, and rules that hold for every plan.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import { CHANNELS, DELIVERIES, type Channel } from '#protocol'

import { environmentSettings, type EnvironmentSettings } from '../../server/config/environment-settings.ts'
import { isOutgoing } from '../../server/send/plan/decision.ts'
import { areAllOutgoing, plan } from '../../server/send/plan/plan.ts'
import type { Plan } from '../../server/send/plan/planned.ts'
import type { Send } from '../../server/send/send-request.ts'
import { CONTENT_FIELDS } from '../../server/types/templates/content.ts'
import { typeSettings, type NotificationType } from '../../server/types/type.ts'
import type { Device } from '../../server/users/device.ts'
import type { Preference } from '../../server/users/preferences/preference.ts'
import type { Contact } from '../../server/users/users.sql.ts'
import { checkProperty } from '../support/generated.ts'

interface Case {
  readonly send?: Partial<Send>
  readonly channels?: readonly Channel[]
  readonly settings?: object
  /** Template ids by channel. */
  readonly templates?: Partial<Record<Channel, readonly string[]>>
  readonly contact?: Partial<Contact>
  readonly preferences?: readonly Partial<Preference>[]
  readonly environment?: object
  readonly devices?: readonly Device[]
  readonly providers?: readonly Channel[]
}

const typeOf = ({ channels = ['INAPP_WEB', 'EMAIL'], settings = {}, templates }: Case): NotificationType => {
  const named = templates ?? Object.fromEntries(channels.map(channel => [channel, ['']]))
  return {
    channels,
    id: 'comment',
    settings: typeSettings.parse(settings),
    subs: new Map(),
    templates: new Map(
      Object.entries(named).map(([channel, ids]) => [
        channel as Channel,
        new Map(ids.map(id => [id, { title: 'Hi' }]))
      ])
    ),
    title: 'Comment'
  }
}

const preference = (more: Partial<Preference>): Preference => ({
  channel: '',
  delivery: 'off',
  notificationId: 'comment',
  subNotificationId: '',
  ...more
})

const planOf = (one: Case): Plan =>
  plan({
    contact: {
      email: 'stored@b.example',
      erasureEpoch: 0,
      received: true,
      version: '',
      ...one.contact,
      preferences: (one.preferences ?? []).map(preference)
    },
    devices: one.devices ?? [],
    limits: { emailMaxBytes: 10_000 },
    now: Date.parse('2026-11-20T12:00Z'),
    environment: environmentSettings.parse(one.environment ?? {}) as EnvironmentSettings,
    providers: new Set(one.providers ?? ['EMAIL']),
    send: { to: { id: 'u1' }, type: 'comment', ...one.send },
    type: typeOf(one),
    zone: 'UTC'
  })

const off: Partial<Preference> = { delivery: 'off' }

const BOUNCE = {
  address: 'stored@b.example',
  at: '2026-11-20T10:00:00.000Z',
  code: '5.1.1',
  detail: 'no mailbox'
}

/** Name, case, decisions by channel. */
const CASES: readonly (readonly [string, Case, Partial<Record<Channel, string>>])[] = [
  ['both channels of the type', {}, { EMAIL: 'sent', INAPP_WEB: 'sent' }],
  [
    'no address anywhere',
    { contact: { email: undefined as never } },
    { EMAIL: 'no-address', INAPP_WEB: 'sent' }
  ],
  [
    'a malformed address, and a stored one that is not used instead',
    { send: { to: { email: '', id: 'u1' } } },
    { EMAIL: 'malformed-address', INAPP_WEB: 'sent' }
  ],
  [
    'mail to the address came back',
    { contact: { bounce: BOUNCE } },
    { EMAIL: 'address-bounced', INAPP_WEB: 'sent' }
  ],
  [
    'mail to the address came back, a digest is wanted',
    { contact: { bounce: BOUNCE }, preferences: [{ channel: 'EMAIL', delivery: 'daily' }] },
    { EMAIL: 'address-bounced', INAPP_WEB: 'sent' }
  ],
  [
    'mail came back from another address than this send has',
    { contact: { bounce: BOUNCE }, send: { to: { email: 'work@b.example', id: 'u1' } } },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  ['no provider', { providers: [] }, { EMAIL: 'no-provider', INAPP_WEB: 'sent' }],
  ['no template', { templates: { INAPP_WEB: [''] } }, { EMAIL: 'no-template', INAPP_WEB: 'sent' }],
  [
    'only a named template',
    { templates: { EMAIL: ['de'], INAPP_WEB: [''] } },
    { EMAIL: 'no-template', INAPP_WEB: 'sent' }
  ],
  ['type switched off', { settings: { enabled: false } }, { EMAIL: 'type-off', INAPP_WEB: 'type-off' }],
  [
    'user has everything off',
    { preferences: [off] },
    { EMAIL: 'preference-off', INAPP_WEB: 'preference-off' }
  ],
  [
    'user has one channel off',
    { preferences: [{ channel: 'EMAIL' }] },
    { EMAIL: 'preference-off', INAPP_WEB: 'sent' }
  ],
  [
    'another type is off',
    { preferences: [{ notificationId: 'other' }] },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'another sub-notification is off',
    { preferences: [{ subNotificationId: 'b' }], send: { subNotificationId: 'a' } },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'this sub-notification is off',
    { preferences: [{ subNotificationId: 'a' }], send: { subNotificationId: 'a' } },
    { EMAIL: 'preference-off', INAPP_WEB: 'preference-off' }
  ],
  [
    'a sub-notification is off, the send names none',
    { preferences: [{ subNotificationId: 'a' }] },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'channel beats type',
    { preferences: [off, { channel: 'EMAIL', delivery: 'instant' }] },
    { EMAIL: 'sent', INAPP_WEB: 'preference-off' }
  ],
  [
    'sub-notification beats channel',
    {
      preferences: [{ channel: 'EMAIL' }, { delivery: 'instant', subNotificationId: 'a' }],
      send: { subNotificationId: 'a' }
    },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'environment has a channel off',
    { environment: { disabledChannels: ['EMAIL'] } },
    { EMAIL: 'environment-off', INAPP_WEB: 'sent' }
  ],
  [
    'user beats environment',
    {
      environment: { disabledChannels: ['EMAIL'] },
      preferences: [{ channel: 'EMAIL', delivery: 'instant' }]
    },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'off by the type',
    { settings: { options: { EMAIL: { defaultDeliveryOption: 'off' } } } },
    { EMAIL: 'default-off', INAPP_WEB: 'sent' }
  ],
  [
    'off by the environment’s default',
    { environment: { defaults: { EMAIL: 'off' } } },
    { EMAIL: 'default-off', INAPP_WEB: 'sent' }
  ],
  [
    'type beats the environment’s default',
    { environment: { defaults: { EMAIL: 'off' } }, settings: { options: { EMAIL: {} } } },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'user beats both defaults',
    { environment: { defaults: { EMAIL: 'off' } }, preferences: [{ channel: 'EMAIL', delivery: 'instant' }] },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  [
    'a digest goes out at once',
    { preferences: [{ channel: 'EMAIL', delivery: 'weekly' }] },
    { EMAIL: 'digest', INAPP_WEB: 'sent' }
  ],
  [
    'the inbox knows no digest',
    { preferences: [{ channel: 'INAPP_WEB', delivery: 'daily' }] },
    { EMAIL: 'sent', INAPP_WEB: 'sent' }
  ],
  ['forced channels instead of the type’s', { send: { forceChannels: ['EMAIL'] } }, { EMAIL: 'sent' }],
  ['forced beyond the type', { send: { forceChannels: ['SMS'] } }, { SMS: 'no-template' }],
  [
    'forced never over the user',
    { preferences: [{ channel: 'EMAIL' }], send: { forceChannels: ['EMAIL'] } },
    { EMAIL: 'preference-off' }
  ],
  ['no channels at all', { channels: [] }, {}],
  ['forced to none', { send: { forceChannels: [] } }, {}],
  [
    'content needs no template',
    { send: { inapp: { title: 'x' } }, templates: {} },
    { EMAIL: 'no-template', INAPP_WEB: 'sent' }
  ],
  [
    'content for a channel that the type has not',
    { send: { sms: { message: 'x' } } },
    { EMAIL: 'sent', INAPP_WEB: 'sent', SMS: 'not-in-type' }
  ],
  [
    'an ad hoc type goes where there is content',
    { send: { sms: { message: 'x' } }, settings: { adHoc: true }, templates: {} },
    { SMS: 'no-provider' }
  ],
  [
    'an ad hoc type without content',
    { settings: { adHoc: true }, templates: {} },
    { EMAIL: 'no-template', INAPP_WEB: 'no-template' }
  ],
  [
    'an ad hoc type that was given templates',
    { send: { sms: { message: 'x' } }, settings: { adHoc: true } },
    { EMAIL: 'sent', INAPP_WEB: 'sent', SMS: 'not-in-type' }
  ],
  ['content and force', { send: { forceChannels: ['SMS'], sms: { message: 'x' } } }, { SMS: 'no-provider' }],
  [
    'number in the send',
    {
      channels: ['SMS', 'CALL'],
      providers: ['SMS', 'CALL'],
      send: { to: { id: 'u1', number: '+12025550123' } }
    },
    { CALL: 'sent', SMS: 'sent' }
  ],
  [
    'no number',
    { channels: ['SMS', 'CALL'], providers: ['SMS', 'CALL'] },
    { CALL: 'no-address', SMS: 'no-address' }
  ],
  [
    'no device of the kind',
    {
      channels: ['PUSH', 'WEB_PUSH'],
      devices: [{ keys: { auth: 'a', p256dh: 'p' }, kind: 'web', to: 'https://push.example/1' }],
      providers: ['PUSH', 'WEB_PUSH']
    },
    { PUSH: 'no-address', WEB_PUSH: 'sent' }
  ],
  [
    'the other channels',
    { channels: ['PUSH', 'WEB_PUSH', 'SLACK'] },
    { PUSH: 'no-provider', SLACK: 'no-provider', WEB_PUSH: 'no-provider' }
  ]
]

for (const [what, one, decisions] of CASES) {
  test(what, () => {
    const result = planOf(one)
    assert.deepEqual(Object.fromEntries([...result.decisions].toSorted()), decisions)
    // Every discarded channel is mentioned.
    for (const [channel, decision] of result.decisions) {
      const isMentioned = result.messages.some(message => message.startsWith(channel))
      if (!isOutgoing(decision)) assert.ok(isMentioned, `${channel} ${decision} is not mentioned`)
    }
  })
}

test('each device gets a delivery of its own', () => {
  const { deliveries } = planOf({
    channels: ['PUSH', 'WEB_PUSH'],
    devices: [
      { environment: 'sandbox', kind: 'apn', to: 'token-1' },
      { kind: 'fcm', to: 'token-2' },
      { keys: { auth: 'a', p256dh: 'p' }, kind: 'web', to: 'https://push.example/1' }
    ],
    providers: ['PUSH', 'WEB_PUSH']
  })
  assert.deepEqual(deliveries, [
    { channel: 'PUSH', device: { environment: 'sandbox', kind: 'apn' }, template: '', to: 'token-1' },
    { channel: 'PUSH', device: { kind: 'fcm' }, template: '', to: 'token-2' },
    {
      channel: 'WEB_PUSH',
      device: { keys: { auth: 'a', p256dh: 'p' }, kind: 'web' },
      template: '',
      to: 'https://push.example/1'
    }
  ])
})

test('the address of a send overrides the stored one for this send', () => {
  const given = planOf({ send: { to: { email: 'given@b.example', id: 'u1' } } })
  assert.deepEqual(given.deliveries, [{ channel: 'EMAIL', template: '', to: 'given@b.example' }])
  assert.deepEqual(planOf({}).deliveries, [{ channel: 'EMAIL', template: '', to: 'stored@b.example' }])
  assert.deepEqual(
    planOf({ send: { to: { id: 'u1', slackChannel: '#ours' } } }).user.slackChannel,
    undefined,
    'without a connection there is no target'
  )
  assert.deepEqual(planOf({ contact: { number: '+12025550123' } }).user, {
    email: 'stored@b.example',
    id: 'u1',
    number: '+12025550123'
  })
})

test('uses the named template, or the default one with a warning', () => {
  const result = planOf({ send: { templateId: 'de' }, templates: { EMAIL: ['', 'de'], INAPP_WEB: [''] } })
  assert.deepEqual(result.deliveries[0]?.template, 'de')
  assert.deepEqual(result.inApp, { template: '' })
  assert.deepEqual(result.messages, [
    'INAPP_WEB: the template "de" does not exist, so the default template was used.'
  ])
  assert.ok(areAllOutgoing(result.decisions))
})

test('content of the send overrides templates', () => {
  const result = planOf({
    send: { inapp: { title: 'x' }, templateId: 'de' },
    templates: { INAPP_WEB: ['', 'de'] }
  })
  assert.deepEqual(result.inApp, { template: null })
})

test('the time of a digest is in the zone of the user, the environment or the server', () => {
  const daily = { preferences: [{ channel: 'EMAIL', delivery: 'daily' }] } as const
  const at = (one: Case) => {
    const { decisions, deliveries, digests, messages } = planOf({ ...daily, ...one })
    assert.deepEqual([decisions.get('EMAIL'), deliveries.length, digests.length], ['digest', 0, 1])
    const [{ time, period }] = digests as [Plan['digests'][number]]
    const text = new Date(time.at).toISOString()
    assert.equal(period, 'daily')
    assert.ok(
      messages.includes(`EMAIL waits for a digest: the user receives it daily and gets it at ${text}.`)
    )
    assert.equal(time.next - time.at, 86_400_000)
    return [text.slice(5, 16), time.zone]
  }
  const environment = { defaultTimezone: 'America/New_York' }
  const contact = { timezone: 'Asia/Kolkata' }
  assert.deepEqual(at({}), ['11-21T09:00', 'UTC'])
  assert.deepEqual(at({ environment }), ['11-20T14:00', 'America/New_York'])
  assert.deepEqual(at({ contact, environment }), ['11-21T03:30', 'Asia/Kolkata'])
  const to = { id: 'u1', timezone: 'Asia/Tokyo' }
  assert.deepEqual(at({ contact, environment, send: { to } }), ['11-21T00:00', 'Asia/Tokyo'])
  const settings = { options: { EMAIL: { daily: { hour: '20' }, defaultDeliveryOption: 'daily' } } }
  assert.deepEqual(at({ preferences: [], settings }), ['11-20T20:00', 'UTC'])
})

const channelIn = fc.constantFrom(...CHANNELS)
const subset = fc.uniqueArray(channelIn)
const anyCase: fc.Arbitrary<Case> = fc.record({
  channels: subset,
  contact: fc.record({ email: fc.constantFrom('stored@b.example', undefined as never) }),
  environment: fc.record({
    defaults: fc.dictionary(channelIn, fc.constantFrom(...DELIVERIES)),
    disabledChannels: subset
  }),
  preferences: fc.array(
    fc.record({
      channel: fc.constantFrom(...CHANNELS, '' as const),
      delivery: fc.constantFrom(...DELIVERIES),
      notificationId: fc.constantFrom('comment', 'comment', 'other'),
      subNotificationId: fc.constantFrom('', 'a', 'b')
    }),
    { maxLength: 8 }
  ),
  providers: subset,
  send: fc.record(
    {
      ...Object.fromEntries(
        Object.values(CONTENT_FIELDS).map(name => [name, fc.constant({ message: 'x', title: 'x' })])
      ),
      forceChannels: subset,
      subNotificationId: fc.constantFrom('a', 'b'),
      templateId: fc.constantFrom('de')
    },
    { requiredKeys: [] }
  ),
  settings: fc.record({ enabled: fc.boolean() }),
  templates: fc.dictionary(channelIn, fc.subarray(['', 'de']))
})

test('rules that hold for every plan', async () => {
  await checkProperty(
    fc.property(anyCase, one => {
      const result = planOf(one)
      const wanted = new Set(one.send?.forceChannels ?? one.channels)
      const out = new Set([
        ...result.deliveries.map(delivery => delivery.channel),
        ...result.digests.map(digest => digest.channel),
        ...(result.inApp ? ['INAPP_WEB' as const] : [])
      ])
      for (const [channel, decision] of result.decisions) {
        assert.equal(isOutgoing(decision), out.has(channel))
        if (!isOutgoing(decision)) assert.ok(result.messages.some(message => message.startsWith(channel)))
      }
      for (const channel of wanted) assert.ok(result.decisions.has(channel), `${channel} is not decided`)
      for (const channel of out) {
        assert.ok(wanted.has(channel), `${channel} was not requested`)
        assert.ok(one.settings && (one.settings as { enabled: boolean }).enabled)
        // A user who has switched this channel off for the sub-notification receives nothing on it.
        const exact = one.preferences!.filter(
          p =>
            p.notificationId === 'comment' &&
            p.channel === channel &&
            p.subNotificationId === (one.send?.subNotificationId ?? '')
        )
        assert.ok(exact.length === 0 || exact.some(p => p.delivery !== 'off'), `${channel} is off`)
      }
      assert.equal(result.deliveries.length, new Set(result.deliveries.map(d => d.channel)).size)
      for (const { channel, template, to } of result.deliveries) {
        assert.ok(to.length > 0)
        assert.ok(one.providers!.includes(channel))
        assert.ok(
          template === null
            ? one.send?.[CONTENT_FIELDS[channel]]
            : one.templates![channel]?.includes(template)
        )
      }
    }),
    { runs: 3000 }
  )
})
