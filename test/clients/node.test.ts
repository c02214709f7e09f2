// The hosted product's SDK for Node, unmodified, against this server: every method.

import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'

import api from 'notificationapi-node-server-sdk'

import { MODES, SECURE, startTwoModes, type TwoModes } from './two-modes.ts'

let site: TwoModes
before(async () => {
  site = await startTwoModes()
})
after(() => site[Symbol.asyncDispose]())

const HOUR = 3_600_000
const at = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** The SDK prints every refusal before it throws it. */
const quietly = (t: TestContext) => t.mock.method(console, 'error', () => {})

for (const mode of MODES) {
  const use = (): ReturnType<TwoModes['ours']> => {
    api.init(mode.clientId, mode.secret, { baseURL: site.base })
    return site.ours(mode)
  }
  const type = (name: string): string => `${name} ${mode.clientId}`

  test(`send and retract, ${mode.name}`, async () => {
    const ours = use()
    const sent = await api.send({
      inapp: { title: 'Hello {{name}}', url: 'https://example.com/' },
      parameters: { name: 'Amara' },
      subNotificationId: 'a',
      to: { email: 'u1@example.com', id: 'u1' },
      type: type('greeting')
    })
    assert.equal(sent.status, 200)
    assert.deepEqual(sent.data.messages, [])
    const { items } = await ours.listInApp('u1')
    assert.deepEqual(
      items.map(({ id, title }) => [id, title]),
      [[sent.data.trackingId, 'Hello Amara']]
    )
    const retracted = await api.retract({ notificationId: type('greeting'), userId: 'u1' })
    assert.equal(retracted.status, 200)
    assert.equal((await ours.listInApp('u1')).items.length, 0)
  })

  test(`send with former names, ${mode.name}`, async () => {
    const ours = use()
    await ours.putType('old', { templates: { EMAIL: { html: '<p>{{item}}</p>', subject: 'Old' } } })
    const sent = await api.send({
      mergeTags: { item: 'Krakow' },
      notificationId: 'old',
      options: { email: { ccAddresses: ['cc@example.com'], fromName: 'Heron' } },
      replace: { Old: 'New' },
      secondaryId: 's',
      templateId: 'none',
      user: { email: 'old@example.com', id: 'old', number: '+12025550123' }
    })
    // The send names a template that does not exist, which causes a warning.
    assert.equal(sent.data.messages.length, 1, JSON.stringify(sent.data))
    assert.match(sent.data.messages[0], /none/)
    assert.ok(sent.data.trackingId)
  })

  test(`files in a send and in a change of a schedule, ${mode.name}`, async t => {
    const ours = use()
    const email = { html: '<p>Invoice</p>', subject: 'Invoice' }
    const send = { email, to: { email: 'files@example.com', id: 'files' }, type: type('files') }
    // Ten megabytes of files in base64, which its documentation allows.
    const content = Buffer.alloc(5 * 1024 * 1024, 7).toString('base64')
    const attachments = ['a.pdf', 'b.pdf'].map(filename => ({ content, filename }))
    const later = await api.send({ ...send, schedule: at(HOUR) })
    const changed = await api.updateSchedule(later.data.trackingId, { options: { email: { attachments } } })
    assert.equal(changed.status, 200)
    assert.equal((await api.send({ ...send, options: { email: { attachments } } })).status, 200)
    const { request } = await ours.getSchedule(later.data.trackingId)
    assert.equal(JSON.stringify(request.options), JSON.stringify({ email: { attachments } }))
    await api.deleteSchedule(later.data.trackingId)
    quietly(t)
    const html = 'x'.repeat(600_000)
    const small = { content: 'aGVsbG8=', filename: 'a.txt' }
    await assert.rejects(
      api.send({ ...send, email: { ...email, html }, options: { email: { attachments: [small] } } }),
      (error: { response: { status: number; data: { message: string } } }) => {
        assert.equal(error.response.status, 413)
        assert.match(error.response.data.message, /Without its files/)
        return true
      }
    )
  })

  test(`answers 202 if a channel is discarded, ${mode.name}`, async t => {
    use()
    const log = t.mock.method(console, 'log', () => {})
    const sent = await api.send({ sms: { message: 'Hello' }, to: { id: 'no-number' }, type: type('sms') })
    assert.equal(sent.status, 202)
    assert.ok(sent.data.messages.length > 0)
    assert.equal(log.mock.callCount(), 1)
  })

  test(`rejects with the faults of a refused request, ${mode.name}`, async t => {
    use()
    quietly(t)
    await assert.rejects(
      api.send({ to: { id: 'u1' } }),
      (error: { response: { status: number; data: object } }) => {
        assert.equal(error.response.status, 422)
        assert.ok('message' in error.response.data && 'messages' in error.response.data)
        return true
      }
    )
  })

  test(`identifyUser, ${mode.name}`, async () => {
    const ours = use()
    const device = { device_id: 'd1', manufacturer: 'x', platform: 'ios' }
    // Its enum has no value at run time that an ES module could import.
    const apn = 'APN' as never
    const answer = await api.identifyUser({
      email: 'amara@example.com',
      id: 'amara é/:',
      number: '+12025550123',
      pushTokens: [{ device, token: 't1', type: apn }],
      timezone: 'Europe/Berlin'
    })
    assert.equal(answer.status, 200)
    const user = await ours.getUser('amara é/:')
    assert.equal(user.email, 'amara@example.com')
    assert.equal(user.timezone, 'Europe/Berlin')
    assert.equal(user.pushTokens!.length, 1)
  })

  test(`updateInAppNotification, ${mode.name}`, async () => {
    const ours = use()
    const { trackingId } = await ours.send({
      inapp: { title: 'x' },
      to: { id: 'marks' },
      type: type('marks')
    })
    const now = at(0)
    const marks = { actioned1: now, actioned2: now, archived: now, clicked: now, opened: now }
    const reply = { date: now, message: 'Thanks' }
    const answer = await api.updateInAppNotification('marks', { ...marks, reply, trackingIds: [trackingId] })
    assert.equal(answer.status, 200)
    const [item] = (await ours.listInApp('marks')).items
    for (const [name, value] of Object.entries(marks)) assert.equal(item![name as keyof typeof marks], value)
    assert.deepEqual(item!.replies, [reply])
    await api.updateInAppNotification('marks', {
      archived: null,
      trackingIds: [trackingId, 'unknown']
    } as never)
    assert.equal((await ours.listInApp('marks')).items[0]!.archived, undefined)
  })

  test(`updateSchedule and deleteSchedule, ${mode.name}`, async t => {
    const ours = use()
    const later = await api.send({
      inapp: { title: 'Later' },
      schedule: at(HOUR),
      to: { id: 'later' },
      type: type('later')
    })
    const id: string = later.data.trackingId
    const schedule = at(2 * HOUR)
    assert.equal((await api.updateSchedule(id, { schedule })).status, 200)
    assert.equal((await ours.getSchedule(id)).schedule, schedule)
    assert.equal((await api.deleteSchedule(id)).status, 200)
    quietly(t)
    await assert.rejects(ours.getSchedule(id), { status: 404 })
    await assert.rejects(api.deleteSchedule(id), { status: 404 })
  })
}

test('every method is refused with the wrong secret', async t => {
  quietly(t)
  api.init(SECURE.clientId, 'wrong', { baseURL: site.base })
  const id = '01937f6e-0000-7000-8000-000000000000'
  for (const call of [
    () => api.send({ inapp: { title: 'x' }, to: { id: 'u1' }, type: 'a' }),
    () => api.retract({ notificationId: 'a', userId: 'u1' }),
    () => api.identifyUser({ id: 'u1' }),
    () => api.updateInAppNotification('u1', { trackingIds: [id] }),
    () => api.updateSchedule(id, {}),
    () => api.deleteSchedule(id)
  ]) {
    await assert.rejects(call, { status: 401 }, call.toString())
  }
})
