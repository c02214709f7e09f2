// What must be there before an example can be sent, for those that need more than a type, a user and a message.

import assert from 'node:assert/strict'

import { uuidv7 } from '../../../server/core/id.ts'
import type { Example } from '../../../server/http/route-doc.ts'
import { asAdmin, asBackEnd, CLIENT, type TestApp } from '../../security/app.ts'
import { BROADCAST_ID, keepBroadcast, keepLetter, keepTask, LETTER, TASK } from '../../security/requests.ts'
import { DAY_AHEAD } from '../../support/fixtures.ts'

/** Its id, where the example does not name one. */
async function schedule(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  const body = JSON.stringify({ schedule: `${DAY_AHEAD}T00:00:00Z`, to: { id: 'u1' }, type: 'comment' })
  const { json, text } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.ok(json['trackingId'], text)
  return { params: { trackingId: String(json['trackingId']) } }
}

/** A send that the log knows. */
async function logged(
  app: TestApp,
  { params }: Example,
  content: object = {}
): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  const body = JSON.stringify({ to: { id: 'u1' }, type: 'comment', ...content })
  const { json, text } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.ok(json['trackingId'], text)
  await app.queues.idle('EMAIL')
  return { params: { trackingId: String(json['trackingId']) } }
}

/** A send to another user, whose inbox is in no example; with a text message, if the example is about one. */
const loggedOnChannel = (app: TestApp, example: Example): Promise<Pick<Example, 'params'>> =>
  JSON.stringify(example.body)?.includes('SMS')
    ? logged(app, example, { sms: { message: 'x' }, to: { id: 'u3' }, type: 'report_ready' })
    : logged(app, example, {
        parameters: { author: 'Mei', text: 'x' },
        to: { email: 'u3@example.com', id: 'u3' }
      })

/** The same one again and again, where the example does not name one. */
async function letter(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  await keepLetter(app)
  return { params: { letterId: LETTER } }
}

/** One that has just happened. */
async function erasure(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  const asked = { headers: asBackEnd }
  await app.ask(`/${CLIENT}/users/gone`, { ...asked, method: 'POST' })
  const { json, text } = await app.ask(`/${CLIENT}/users/gone`, { ...asked, method: 'DELETE' })
  assert.ok(json['erasureId'], text)
  return { params: { erasureId: String(json['erasureId']) } }
}

/** The user of all examples has a connection, where the example names nobody. */
async function connected(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  const slackToken = { access_token: 'xoxb-1', authed_user: { id: 'U024BE7LH' } }
  const asked = { body: JSON.stringify({ slackToken }), headers: asBackEnd, method: 'POST' }
  const { status, text } = await app.ask(`/${CLIENT}/users/u1`, asked)
  assert.equal(status, 200, text)
  return {}
}

/** By operationId: makes what is needed, and gives what the example could not know, such as the id of a new send. */
export const GIVEN: Readonly<
  Record<string, (app: TestApp, example: Example) => Promise<Pick<Example, 'params' | 'query' | 'body'>>>
> = {
  listApiKeys: apiKey,
  revokeApiKey: apiKey,
  deleteSchedule: schedule,
  dropDeadLetter: letter,
  endSession: session,
  exportAuditLog: look,
  eraseUser: leaving,
  getErasure: erasure,
  explainLog: logged,
  getDeadLetter: letter,
  getLog: logged,
  getSentContent: logged,
  getSchedule: schedule,
  getBroadcast: broadcast,
  pauseBroadcast: broadcast,
  resumeBroadcast: broadcast,
  retractBroadcast: broadcast,
  stopBroadcast: broadcast,
  getTask: task,
  pauseTask: task,
  resumeTask: task,
  stopTask: task,
  getUserTask: task,
  stopUserTask: task,
  readExport: task,
  listDeadLetters: letters,
  listSlackChannels: connected,
  putSchedule: schedule,
  rejoinTopic: leftTopic,
  resend: loggedOnChannel,
  pressAction: withButton,
  signOutMember: member,
  updateInboxItem: withButton,
  updateMember: member,
  updateSchedule: schedule,
  deleteEnvironment: newEnvironment,
  rotateSecret: newEnvironment
}

/** The user of the examples has left the topic of the examples, where the example is about that. */
async function leftTopic(app: TestApp, { params, status }: Example): Promise<object> {
  if (params || status !== 201) return {}
  const body = JSON.stringify({ add: ['u1'] })
  await app.ask(`/${CLIENT}/topics/releases/members`, { body, headers: asBackEnd, method: 'PUT' })
  await app.ask(`/${CLIENT}/users/u1/topics/releases`, { headers: asBackEnd, method: 'DELETE' })
  return {}
}

/** An entry about the user of the examples. */
async function look(app: TestApp): Promise<object> {
  await app.ask(`/${CLIENT}/users/u1`, { headers: asAdmin })
  return {}
}

/** Of another browser of the member who signs in for the examples. */
async function session(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  const { json } = await app.ask('/operators/sessions', { headers: await app.signIn() })
  const [newest] = json['sessions'] as { id: string }[]
  return { params: { sessionId: newest!.id } }
}

/** A member of a provider, because the admin token cannot be blocked. */
async function member({ db }: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  const id = uuidv7(0)
  await db.control`
    insert into members (id, issuer, subject, name, email, role)
    values (${id}, 'https://id.example', ${id}, 'Amara Okafor', 'amara@heron.example', 'support')`
  return { params: { memberId: id } }
}

/** One that no process works on, where the example does not name one. */
async function task(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  await keepTask(app, 'u1')
  return { params: { taskId: TASK } }
}

/** One that begins in a year, where the example does not name one. */
async function broadcast(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params) return {}
  await keepBroadcast(app)
  return { params: { broadcastId: BROADCAST_ID } }
}

async function apiKey(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  const body = JSON.stringify({ name: 'Billing service', scopes: ['send'] })
  const path = `/environments/${CLIENT}/keys`
  const { json } = await app.ask(path, { body, headers: asAdmin, method: 'POST' })
  return params ? {} : { params: { keyId: String(json['id']) } }
}

/** Of a user whom the list of dead letters has. */
async function letters(app: TestApp): Promise<object> {
  await keepLetter(app)
  return {}
}

/** A user with data, where the example does not name one without. */
async function leaving(app: TestApp, { params }: Example): Promise<object> {
  const asked = { body: '{"email":"leaving@example.com"}', headers: asBackEnd, method: 'POST' }
  if (params?.['userId'] === 'leaving') await app.ask(`/${CLIENT}/users/leaving`, asked)
  return {}
}

/** A notification of a user whose inbox is in no example, with a button for the webhook of the environment. */
async function withButton(app: TestApp, { params }: Example): Promise<Pick<Example, 'params'>> {
  if (params?.['trackingId']) return {}
  const webhook = { url: 'https://back-end.example/webhooks' }
  await app.ask(`/environments/${CLIENT}`, {
    body: JSON.stringify({ webhook }),
    headers: asAdmin,
    method: 'PATCH'
  })
  const inapp = { actions: [{ id: 'approve', label: 'Approve', send: true }], title: 'Winter fares' }
  const body = JSON.stringify({ inapp, to: { id: 'u9' }, type: 'approval' })
  const { json, text } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.ok(json['trackingId'], text)
  return { params: { trackingId: String(json['trackingId']), userId: 'u9' } }
}

let environments = 0

/** One that no other example needs, and that is last in their list. */
async function newEnvironment(app: TestApp) {
  const body = JSON.stringify({ clientId: `temporary_${++environments}` })
  const made = await app.ask('/environments', { body, headers: asAdmin, method: 'POST' })
  return { params: { clientId: String(made.json['clientId']) } }
}
