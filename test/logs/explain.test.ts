// The explanation of a send: every decision of the plan and every outcome of an attempt has a code and a sentence.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { ChannelExplanation } from '../../server/client/logs.ts'
import { explainChannels } from '../../server/logs/explain.ts'
import { DECISIONS, STATUS_LABELS } from '../../server/logs/status-labels.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { CLIENT } from '../http/serve.ts'
import { asAdmin, asBackEnd, CLIENT as APP, startApp } from '../security/app.ts'
import { inapp, mail, openDesk, type Desk } from './log-server.ts'

interface Explained {
  readonly status: string
  readonly channels: readonly ChannelExplanation[]
}

const explained = async (desk: Desk, id: string): Promise<Explained> => {
  const { body, status } = await desk.ask('GET', `/${CLIENT}/logs/${id}/explain`)
  assert.equal(status, 200)
  return body as unknown as Explained
}

test('gives every decision a state and a sentence of its own', () => {
  const sentences = DECISIONS.map(decision => {
    const send = {
      body: {},
      bucket: 1,
      decisions: { EMAIL: decision },
      envId: 'e',
      id: '01937f6e-0000-7000-8000-000000000000',
      subId: '',
      type: 'invoice',
      userId: 'u',
      warnings: []
    }
    const [story] = explainChannels({ attempts: [], deadLetters: [], receipts: [], send, queued: [] })
    const { kind } = STATUS_LABELS[decision]
    const states = {
      discarded: 'discarded',
      failed: 'failed',
      later: 'discarded',
      out: 'unknown',
      unreachable: 'discarded'
    }
    assert.equal(story!.state, states[kind], decision)
    assert.match(story!.explanation, /^EMAIL\b.{10,}\.$/, decision)
    return story!.explanation
  })
  assert.equal(new Set(sentences).size, DECISIONS.length)
})

test('combines the states of the deliveries of a channel, and shows its own receipts only', () => {
  const idOf = (n: number): string => `01937f6e-0000-7000-8000-00000000000${n}`
  const none = { code: null, detail: null }
  const tried = (channel: string, n: number, outcome: string) => ({
    ...none,
    channel,
    deliveryId: idOf(n),
    id: idOf(n),
    outcome,
    providerRef: null,
    claimCount: 1,
    tookMs: null
  })
  const send = {
    body: {},
    bucket: 1,
    decisions: { EMAIL: 'sent', PUSH: 'sent' },
    envId: 'e',
    id: idOf(0),
    subId: '',
    type: 'invoice',
    userId: 'u',
    warnings: []
  }
  const receipts = [{ ...none, channel: 'EMAIL', id: idOf(9), outcome: 'delivered' as const }]
  const row = { id: idOf(3), queue: 'APN' as const, isLeased: false, runAt: new Date(0), attemptsLeft: 8 }
  const sent = [tried('EMAIL', 1, 'sent'), tried('PUSH', 2, 'sent')]
  for (const [attempts, queued, state] of [
    [sent, [], 'sent'],
    [sent, [row], 'waiting'],
    [[...sent, tried('PUSH', 4, 'dead')], [row], 'failed']
  ] as const) {
    const stories = explainChannels({ attempts, deadLetters: [], receipts, send, queued })
    assert.deepEqual(
      stories.map(story => [story.channel, story.state, story.receipts?.length]),
      [
        ['EMAIL', 'sent', 1],
        ['PUSH', state, undefined]
      ]
    )
  }
})

test('explains the rules of the plan, as the whole server decides them', async () => {
  await using app = await startApp({ NOTIF_EMAIL_MAX_BYTES: '10000' })
  const ask = async (method: string, path: string, body: unknown, headers = asBackEnd) => {
    const answer = await app.ask(path, { body: JSON.stringify(body), headers, method })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  const type = (id: string, settings: object) =>
    ask('PUT', `/${APP}/notifications/${id}`, {
      templates: { email: { html: '<p>x</p>', subject: 'S' }, inapp: { title: 'T' } },
      ...settings
    })
  const why = async (send: object): Promise<Record<string, string>> => {
    const { json } = await ask('POST', `/${APP}/sender`, send)
    const { json: told } = await app.ask(`/${APP}/logs/${String(json['trackingId'])}/explain`, {
      headers: asBackEnd
    })
    const { channels } = told as unknown as Explained
    for (const { explanation, state } of channels) {
      const isRefused = state === 'discarded' || state === 'failed'
      if (isRefused) assert.ok((json['messages'] as string[]).includes(explanation), explanation)
    }
    return Object.fromEntries(
      channels.map(({ channel, decision, state }) => [channel, `${state} ${decision}`])
    )
  }
  const to = { email: 'ada@example.com', id: 'ada' }
  await type('plain', {})
  await type('off', { enabled: false })
  await type('quiet', { options: { EMAIL: { defaultDeliveryOption: 'off' } } })
  await type('once', { throttling: { forever: true, max: 1 } })
  await type('broken', { templates: { inapp: { redirectURL: '{{ link }}', title: 'T' } } })
  const broken = await why({ parameters: { link: 'javascript:alert(1)' }, to, type: 'broken' })
  assert.equal(broken['INAPP_WEB'], 'failed render-failed')
  assert.match((await why({ to, type: 'plain' }))['INAPP_WEB']!, /^sent sent$/)
  const attachments = [{ content: Buffer.alloc(7_500).toString('base64'), filename: 'a.pdf' }]
  const large = {
    options: { email: { attachments } },
    sms: { message: 'x'.repeat(1531) },
    to: { ...to, number: '+15005550006' },
    forceChannels: ['EMAIL', 'SMS', 'INAPP_WEB'],
    type: 'plain'
  }
  const tooLarge = { EMAIL: 'failed attachment-too-large', INAPP_WEB: 'sent sent', SMS: 'failed too-long' }
  assert.deepEqual(await why(large), tooLarge)
  const { json: simulated } = await ask('POST', `/${APP}/simulate`, { send: large })
  const { channels: stories } = simulated as unknown as Explained
  assert.deepEqual(Object.fromEntries(stories.map(({ channel, decision }) => [channel, decision])), {
    EMAIL: 'attachment-too-large',
    INAPP_WEB: 'sent',
    SMS: 'too-long'
  })
  assert.match(
    (simulated['messages'] as string[]).join(),
    /at most 10000 are allowed.*The message has 11 segments; at most 10 are allowed/
  )
  assert.deepEqual(await why({ to, type: 'off' }), {
    EMAIL: 'discarded type-off',
    INAPP_WEB: 'discarded type-off'
  })
  assert.equal((await why({ sms: { message: 'x' }, to, type: 'plain' }))['SMS'], 'discarded not-in-type')
  assert.equal((await why({ forceChannels: ['SMS'], to, type: 'plain' }))['SMS'], 'failed no-template')
  assert.equal((await why({ to: { id: 'nobody' }, type: 'plain' }))['EMAIL'], 'discarded no-address')
  assert.equal((await why({ to, type: 'quiet' }))['EMAIL'], 'discarded default-off')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  assert.equal((await why({ schedule: tomorrow, to, type: 'plain' }))['EMAIL'], 'scheduled scheduled')
  await why({ to, type: 'once' })
  assert.deepEqual(await why({ to, type: 'once' }), {
    EMAIL: 'discarded throttled',
    INAPP_WEB: 'discarded throttled'
  })
  await ask('POST', `/${APP}/user_preferences/ada`, [
    { channel: 'EMAIL', delivery: 'off', notificationId: 'plain' }
  ])
  assert.equal((await why({ to, type: 'plain' }))['EMAIL'], 'discarded preference-off')
  await ask('PATCH', `/environments/${APP}`, { disabledChannels: ['EMAIL'] }, asAdmin)
  assert.equal((await why({ to: { ...to, id: 'bob' }, type: 'plain' }))['EMAIL'], 'discarded environment-off')
})

test('a failure means that a delivery died, or that nobody was reached', async () => {
  await using desk = await openDesk()
  desk.provider = row =>
    row.userId === 'bob' ? { code: '550', detail: 'No such user.', kind: 'dead' } : { kind: 'sent' }
  const inApp = { inapp: { title: 'T' } }
  const email = { email: { html: '<p>x</p>', subject: 'S' } }
  const ids: Record<string, string> = {
    bob: await desk.send(mail('bob', { inapp: { title: 'Hi' } })),
    nobody: await desk.send({ ...email, to: { id: 'nobody' }, type: 'x' }),
    mailless: await desk.send({ ...inApp, ...email, to: { id: 'ada' }, type: 'x' })
  }
  await desk.drain()
  for (const [user, expected, states] of [
    ['bob', 'partial', ['failed', 'sent']],
    ['nobody', 'failure', ['discarded']],
    ['mailless', 'success', ['discarded', 'sent']]
  ] as const) {
    const { channels, status } = await explained(desk, ids[user]!)
    assert.equal(status, expected, user)
    assert.deepEqual(channels.map(({ state }) => state).toSorted(), states, user)
    const { logs } = await desk.query({ statusFilter: [expected] })
    assert.deepEqual(
      logs.map(({ trackingId }) => trackingId),
      [ids[user]]
    )
  }
  const { logs } = await desk.query({ customFilter: 'filter email_failed_code = "NO_ADDRESS"' })
  assert.equal(logs.length, 2)
  assert.ok(logs.every(log => log['email_failed_at'] !== undefined && log['ignored'] === undefined))
})

test('explains every attempt with the answer of the provider', async () => {
  await using desk = await openDesk()
  const answers: Record<string, Outcome> = {
    ada: { kind: 'sent', ref: 'ref-1' },
    bob: { code: '550', detail: 'No such user.', kind: 'dead' },
    eve: { code: '421', detail: 'Later.', kind: 'retry' },
    kim: { code: '410', detail: 'Gone.', kind: 'gone' }
  }
  const ids: Record<string, string> = {}
  for (const user of Object.keys(answers)) ids[user] = await desk.send(mail(user))
  desk.provider = row => answers[row.userId]!
  await desk.drain()
  const deliveryOf = async (user: string) => {
    const { channels, status } = await explained(desk, ids[user]!)
    const [{ deliveries, state, explanation }] = channels as [ChannelExplanation]
    return { ...deliveries[0]!, channelState: state, status, said: explanation }
  }
  const ada = await deliveryOf('ada')
  assert.deepEqual(
    [ada.status, ada.state, ada.attempts.length, ada.attempts[0]!.reference],
    ['success', 'sent', 1, 'ref-1']
  )
  const bob = await deliveryOf('bob')
  assert.deepEqual([bob.status, bob.state, bob.code, bob.deadLetter], ['failure', 'failed', '550', true])
  assert.match(bob.said, /dead letter since .* \(550: No such user\)\./)
  const eve = await deliveryOf('eve')
  assert.deepEqual([eve.status, eve.state, eve.attemptsLeft], ['received', 'waiting', 7])
  assert.ok(Date.parse(eve.nextAt!) > Date.now() - 60_000)
  assert.match(eve.explanation, /waits for its next attempt, due at .*outcome of attempt 1: retry \(421\)/)
  assert.match(eve.attempts[0]!.explanation, /^Attempt 1 at \S+Z failed and is repeated \(421: Later\)\.$/)
  const kim = await deliveryOf('kim')
  assert.deepEqual([kim.status, kim.state, kim.deadLetter], ['failure', 'failed', undefined])
  assert.match(kim.said, /no longer knows the address/)

  answers['eve'] = { kind: 'sent' }
  await desk.db.control`update outbox set run_at = now()`
  await desk.drain()
  const later = await deliveryOf('eve')
  assert.deepEqual(
    later.attempts.map(one => [one.attempt, one.outcome]),
    [
      [1, 'retry'],
      [2, 'sent']
    ]
  )
  assert.equal(later.status, 'success')
})

test('explains the read state, but not to other environments', async () => {
  await using desk = await openDesk()
  const id = await desk.send(inapp('ada'))
  assert.match((await explained(desk, id)).channels[0]!.explanation, /in the inbox, not opened yet/)
  await desk.db.control`update inbox_items set opened_at = '2026-11-20T00:00:00Z' where id = ${id}`
  assert.match((await explained(desk, id)).channels[0]!.explanation, /opened at 2026-11-20T00:00:00.000Z/)
  for (const path of ['', '/explain']) {
    assert.equal((await desk.ask('GET', `/client_2/logs/${id}${path}`)).status, 404)
    assert.equal((await desk.ask('GET', `/${CLIENT}/logs/nonsense${path}`)).status, 404)
    assert.equal((await desk.ask('GET', `/${CLIENT}/logs/${id.toUpperCase()}${path}`)).status, 200)
  }
})

test('says of a deleted schedule that it was deleted', async () => {
  await using desk = await openDesk()
  const schedule = new Date(Date.now() + 86_400_000).toISOString()
  const id = await desk.send({ ...inapp('u', { schedule }), email: { html: 'h', subject: 's' } })
  assert.equal((await desk.ask('DELETE', `/${CLIENT}/schedule/${id}`)).status, 200)
  const { body } = await desk.ask('GET', `/${CLIENT}/logs/${id}`)
  assert.equal(body['ignored'], 'SCHEDULE_DELETED')
  assert.equal(body['inapp_routing'], 'IGNORE')
  assert.equal(body['inapp_routing_reason'], 'SCHEDULE_DELETED')
  const [message] = (body['messages'] as string[]).slice(-1)
  const deletedAt = Date.parse(/^The schedule was deleted at (\S+)\.$/.exec(message!)![1]!)
  assert.ok(deletedAt < Date.parse(schedule), message)
  for (const { channel, decision, explanation, state } of body['channels'] as Record<string, string>[]) {
    assert.deepEqual([decision, state], ['deleted', 'discarded'])
    assert.equal(explanation, `${channel} was discarded: its schedule was deleted.`)
  }
})
