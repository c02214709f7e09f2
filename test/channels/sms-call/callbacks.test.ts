// Callbacks of the providers of SMS and calls: delivery receipts, replies, STOP and START, and signatures.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readKeyword } from '../../../server/channels/sms-call/inbound.ts'
import { PHONE_PROVIDERS } from '../../../server/config/phone.ts'
import { placementHash, uuidv7 } from '../../../server/core/id.ts'
import { readDoc } from '../../../server/logs/doc.ts'
import { asBackEnd, CLIENT, contents, OTHER, startApp } from '../../security/app.ts'
import { readSpeech } from './phone-peer.ts'
import { REPORTS, type Posted } from './phone-reports.ts'
import { identify, inWorld, NUMBER, PUBLIC, type World } from './phone-server.ts'

const receipts = ({ app }: World) =>
  app.db.control<{ channel: string; outcome: string; code: string | null; detail: string | null }[]>`
    select channel, outcome, code, detail from receipts where bucket >= 0 order by id`

/** Path below `/callbacks/{provider}`. */
const callbackPath = (url: string | undefined): string => String(url).split('/').slice(5).join('/')

for (const name of PHONE_PROVIDERS) {
  describe(`over ${name}`, { timeout: 60_000 }, () => {
    test('stores a receipt once, and a failure with its code', () =>
      inWorld(name, async world => {
        await world.send({ call: { message: 'Hello' }, sms: { message: 'Hello' } })
        const sms = world.peer.accepted.find(one => one.kind === 'sms')!
        const call = world.peer.accepted.find(one => one.kind === 'call')!
        for (const posted of [{}, {}, { good: false }] as const) {
          const { status, text } = await world.report(callbackPath(sms.statusUrl), {
            kind: 'sms',
            ref: sms.ref,
            ...posted
          })
          assert.equal(status, 200, text)
        }
        await world.report(callbackPath(call.statusUrl), { good: false, kind: 'call', ref: call.ref })
        const stored = await receipts(world)
        assert.deepEqual(
          stored.map(one => `${one.channel} ${one.outcome}`),
          ['SMS delivered', 'SMS undelivered', 'CALL undelivered']
        )
        const codes = { plivo: '200', twilio: '30005', vonage: '1260', webhook: 'absent' }
        assert.equal(stored[1]!.code, codes[name])
        const log = await world.app.ask(`/${CLIENT}/logs/query`, {
          body: '{}',
          headers: asBackEnd,
          method: 'POST'
        })
        const [record] = log.json['logs'] as Record<string, unknown>[]
        assert.ok(record, log.text)
        assert.match(String(record['sms_delivered_at']), /^\d{4}-/)
        assert.equal(record['sms_undelivered_code'], codes[name])
        assert.match(log.text, /could not deliver it/)
        assert.deepEqual(readDoc.answer?.parse(record), record, 'the reference does not have a field')
      }))

    test('rejects callbacks without a valid signature', () =>
      inWorld(name, async world => {
        await identify(world)
        await world.send({ sms: { message: 'Hello' } })
        const path = callbackPath(world.peer.accepted[0]!.statusUrl)
        const before = await contents(world.app)
        const good = REPORTS[name](`${PUBLIC}/callbacks/${name}/${path}`, { kind: 'sms', ref: 'r' })
        const away = REPORTS[name](`https://evil.example/callbacks/${name}/${path}`, {
          kind: 'sms',
          ref: 'r'
        })
        const stop = REPORTS[name](`${PUBLIC}/callbacks/${name}/inbound`, {
          from: NUMBER,
          kind: 'inbound',
          ref: 'r',
          text: 'STOP'
        })
        const forged: Posted[] = [
          { ...good, headers: {} },
          { body: '', headers: {} },
          ...Object.entries(good.headers)
            .filter(([header]) => /signature$|signature-v[23]$|authorization/.test(header))
            .flatMap(([header, value]) => [
              { ...good, headers: { ...good.headers, [header]: value.slice(0, -2) } },
              { ...good, headers: { ...good.headers, [header]: '' } },
              { ...good, headers: { ...good.headers, [header]: value.toLowerCase() } }
            ]),
          // Callbacks for messages of Plivo sign the address only.
          ...(name === 'plivo' ? [] : [{ ...good, body: `${good.body} ` }]),
          ...(name === 'twilio' || name === 'plivo' ? [away] : []),
          ...(name === 'webhook' || name === 'vonage'
            ? [REPORTS[name]('', { kind: 'sms', ref: 'r' }, Date.now() - 400_000)]
            : [])
        ]
        for (const posted of forged)
          assert.equal((await world.post(path, posted)).status, 401, JSON.stringify(posted))
        assert.equal((await world.post('inbound', { ...stop, headers: {} })).status, 401)
        assert.deepEqual(await contents(world.app), before)
      }))

    test('turns messages off after STOP, and on again after START', () =>
      inWorld(name, async world => {
        await identify(world)
        const inbound = (ref: string, text: string) =>
          world.report('inbound', { from: NUMBER, kind: 'inbound', ref, text })
        assert.equal((await inbound('1', ' Stop. ')).status, 200)
        const refused = await world.send({ sms: { message: 'Hello' } })
        assert.equal(refused.status, 202)
        assert.match(refused.text, /SMS/)
        // The back end replaces all preferences, but not the choice of the user.
        const replaced = await world.app.ask(`/${CLIENT}/user_preferences/amara`, {
          body: JSON.stringify([{ channel: 'SMS', delivery: 'instant', notificationId: 'hello' }]),
          headers: asBackEnd,
          method: 'POST'
        })
        assert.ok(replaced.status < 300, replaced.text)
        assert.equal((await world.send({ sms: { message: 'Hello' } })).status, 202)
        assert.equal(world.peer.accepted.length, 0)
        // STOP does not change another channel to the same number.
        assert.equal((await world.send({ call: { message: 'Hello' } })).status, 200)
        await inbound('2', 'START')
        assert.equal((await world.send({ sms: { message: 'Hello' } })).status, 200)
        assert.equal(world.peer.accepted.filter(one => one.kind === 'sms').length, 1)
      }))

    test('answers a reply with the automatic answer of the message, once', () =>
      inWorld(name, async world => {
        await identify(world)
        await world.send({ sms: { autoReply: { message: 'Thanks, {{ user.id }}' }, message: 'Hello' } })
        for (const ref of ['1', '1', '2']) {
          await world.report('inbound', { from: NUMBER, kind: 'inbound', ref, text: 'Who is this?' })
          await world.app.queues.idle('SMS')
        }
        assert.deepEqual(
          world.peer.accepted.map(one => one.text),
          ['Hello', 'Thanks, amara']
        )
        const stored = await receipts(world)
        assert.deepEqual(
          stored.map(one => [one.outcome, one.detail]),
          [
            ['answered', 'Who is this?'],
            ['answered', 'Who is this?']
          ]
        )
      }))
  })
}

test('reads a reply as one to the last message that the user received', { timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    await identify(world)
    const { control } = world.app.db
    const contentWithReply = (reply: string) => ({ sms: { autoReply: { message: reply }, message: 'Hello' } })
    await world.send(contentWithReply('First'))
    const { trackingId } = JSON.parse((await world.send(contentWithReply('Second'))).text) as {
      trackingId: string
    }
    // Later sends with the same placement hash: of another environment, of another user, and one that was not sent.
    const others = [
      [OTHER, 'amara', 'sent'],
      [CLIENT, 'bo', 'sent'],
      [CLIENT, 'amara', 'dead']
    ] as const
    for (const [envId, userId, outcome] of others) {
      const id = uuidv7(placementHash(CLIENT, 'amara'))
      await control`
        insert into sends (bucket, id, env_id, user_id, notification_id, body)
        select bucket, ${id}, ${envId}, ${userId}, notification_id, jsonb_set(body, '{sms,autoReply,message}', '"Wrong"')
        from sends where id = ${trackingId}`
      await control`
        insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome)
        select bucket, ${id}, ${id}, ${id}, ${envId}, ${userId}, notification_id, 'SMS', 1, ${outcome}
        from sends where id = ${trackingId}`
    }
    await world.report('inbound', { from: NUMBER, kind: 'inbound', ref: '1', text: 'Who is this?' })
    await world.app.queues.idle('SMS')
    assert.deepEqual(
      world.peer.accepted.map(one => one.text),
      ['Hello', 'Hello', 'Second']
    )
    const stored = await control<
      { id: string }[]
    >`select send_id as id from receipts where outcome = 'answered'`
    assert.deepEqual([...stored], [{ id: trackingId }])
  })
)

test('applies STOP to all users with the number', { timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    const { control } = world.app.db
    await control`
      insert into users (bucket, env_id, id, number)
      select i % 1024, 'env ' || i % 3, 'u' || i, ${NUMBER} from generate_series(1, 250) i`
    const stopReport = { from: NUMBER, kind: 'inbound', ref: '1', text: 'STOP' } as const
    assert.equal((await world.report('inbound', stopReport)).status, 200)
    const [off] = await control<{ count: number }[]>`
      select count(*)::int as count from preferences where bucket >= 0 and channel = 'SMS' and delivery = 'off'`
    assert.equal(off!.count, 250)
  })
)

test('answers each of many simultaneous replies', { timeout: 60_000 }, () =>
  inWorld('webhook', async world => {
    const ask = (path: string, method: string, body: object) =>
      world.app.ask(`/${CLIENT}/${path}`, { body: JSON.stringify(body), headers: asBackEnd, method })
    const type = { templates: { sms: { autoReply: { message: 'Thanks' }, message: 'Hello' } } }
    await ask('notifications/hello', 'PUT', type)
    // More than there are connections to the database.
    const numbers = Array.from({ length: 12 }, (_, i) => `+12025552${100 + i}`)
    for (const number of numbers) {
      await ask(`users/${number.slice(1)}`, 'POST', { number })
      await ask('sender', 'POST', { to: { id: number.slice(1) }, type: 'hello' })
    }
    await world.app.queues.idle('SMS')
    // The type is in no cache.
    await ask('notifications/hello', 'PUT', type)
    const answers = await Promise.all(
      numbers.map(from => world.report('inbound', { from, kind: 'inbound', ref: from, text: 'Who is this?' }))
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await world.app.queues.idle('SMS')
    assert.equal(world.peer.accepted.filter(({ text }) => text === 'Thanks').length, numbers.length)
  })
)

test('gives the text of a call to Plivo only', { timeout: 60_000 }, () =>
  inWorld('plivo', async world => {
    await world.send({ call: { message: 'A & B <Say>"hi"</Say>' } })
    const path = callbackPath(world.peer.accepted[0]!.answerUrl)
    const answer = await world.report(path, { kind: 'call', ref: 'r' })
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers['content-type']!, /^text\/xml/)
    assert.equal(readSpeech(answer.text), 'A & B <Say>"hi"</Say>')
    assert.equal((await world.post(path, { body: '', headers: {} })).status, 401)
    const other = await world.report('answer/01937f6e-0000-7000-8000-000000000000', {
      kind: 'call',
      ref: 'r'
    })
    assert.equal(other.status, 404)
  })
)

test('has no callbacks except those of bounces without a provider', { timeout: 60_000 }, async () => {
  await using app = await startApp()
  assert.deepEqual(
    app.routes.filter(({ path }) => path.startsWith('/callbacks')).map(({ path }) => path),
    ['/callbacks/bounce']
  )
})

test('recognizes the keywords of STOP and START', () => {
  for (const text of ['STOP', 'stop', ' Stop! ', 'Unsubscribe', 'opt out', 'ARRÊT'])
    assert.equal(readKeyword(text), 'stop', text)
  for (const text of ['START', 'unstop']) assert.equal(readKeyword(text), 'start', text)
  for (const text of ['', 'stop it please', 'Yes', 'restart', 'Non-stop'])
    assert.equal(readKeyword(text), undefined, text)
})
