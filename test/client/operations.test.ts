// Every operation of the API reference has a client method with all its parameters. A new route without one fails here.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { createAdminClient, createClient, NotifProblem } from '../../server/client/index.ts'
import { ADMIN_TOKEN, CLIENT, SECRET, startApp, type TestApp } from '../security/app.ts'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

/** Parameters that are former names of others. */
const OLD = new Set(['listSchedules?notificationId'])

/** Operations that are not for back ends, or exist under another name, with the reason. */
const ELSEWHERE = {
  createSession: 'for the dashboard',
  deleteSession: 'for the dashboard',
  deleteSessions: 'for the dashboard',
  endSession: 'for the dashboard',
  getSession: 'for the dashboard',
  getSignInOptions: 'for the dashboard',
  listSessions: 'for the dashboard',
  getAccountMetadata: 'for front ends',
  getHealth: 'for balancers',
  getOpenApi: 'for generators',
  getReadiness: 'for balancers',
  listInAppNotifications: 'listInApp, in the shape of existing clients',
  listSandboxMessages: 'notif-kit/testing',
  pressAction: 'for front ends',
  putSchedule: 'updateSchedule, as one existing client asks it',
  readInboxChanges: 'for front ends',
  updateInAppNotifications: 'updateInAppNotification, in the shape of existing clients'
}

interface Seen {
  readonly method: string
  readonly path: string
  readonly query: readonly string[]
}

/** Clients that record their requests to the real server. */
function clients() {
  const seen: Seen[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    seen.push({ method: init?.method ?? 'GET', path: pathname, query: [...searchParams.keys()] })
    return globalThis.fetch(input, init)
  }
  const settings = { baseURL: app.url, fetch }
  return {
    admin: createAdminClient({ ...settings, adminToken: ADMIN_TOKEN }),
    client: createClient({ ...settings, clientId: CLIENT, clientSecret: SECRET }),
    seen
  }
}

const page = { count: 1, cursor: 'x' }
const send = { inapp: { title: 'x' }, to: { id: 'u1' }, type: 'x' }
const which = { locale: 'de', templateId: 't1' }
const order = { filter: { code: 'none' } }
const mail = { html: 'x', subject: 'x' }
const part = { notificationId: 'x', subNotificationId: 'p', title: 'P' }
const ID = '01937f6e-0000-7000-8000-000000000000'

type Calls<T> = { readonly [K in keyof T]: (one: T) => unknown }
type Client = ReturnType<typeof createClient>

const CALLS: Calls<Client> = {
  createBroadcast: one => one.createBroadcast({ inapp: { title: 'x' }, to: { everyone: true }, type: 'x' }),
  estimateBroadcast: one => one.estimateBroadcast({ everyone: true }),
  listBroadcasts: one => one.listBroadcasts({ ...page, state: 'done' }),
  getBroadcast: one => one.getBroadcast(ID),
  pauseBroadcast: one => one.pauseBroadcast(ID),
  resumeBroadcast: one => one.resumeBroadcast(ID),
  retractBroadcast: one => one.retractBroadcast(ID),
  stopBroadcast: one => one.stopBroadcast(ID),
  changeTopicMembers: one => one.changeTopicMembers('t', { add: ['u1'] }),
  deleteTopic: one => one.deleteTopic('t'),
  getTopic: one => one.getTopic('t'),
  leaveTopic: one => one.leaveTopic('u1', 't'),
  listTopicMembers: one => one.listTopicMembers('t', page),
  listTopics: one => one.listTopics(page),
  listUserTopics: one => one.listUserTopics('u1', page),
  putTopic: one => one.putTopic('t', 'T'),
  rejoinTopic: one => one.rejoinTopic('u1', 't'),
  createSubNotification: one => one.createSubNotification(part),
  listDigests: one => one.listDigests(page),
  suggestLogValues: one => one.suggestLogValues({ count: 1, kind: 'type', text: 'x' }),
  createTailTicket: one => one.createTailTicket(),
  deleteLayout: one => one.deleteLayout('l'),
  deletePartial: one => one.deletePartial('p'),
  deleteSchedule: one => one.deleteSchedule(ID),
  deleteSubNotification: one => one.deleteSubNotification(part),
  deleteTemplate: one => [
    one.deleteTemplate('x', 'EMAIL', which),
    one.deleteTemplate('x', 'EMAIL', { locale: 'de' })
  ],
  deleteType: one => one.deleteType('x'),
  deleteUserPreferences: one => one.deleteUserPreferences('u1', 'x', 'p'),
  dropDeadLetter: one => one.dropDeadLetter(ID),
  dropDeadLetters: one => one.dropDeadLetters(order),
  createTask: one => one.createTask({ input: { filter: { code: 'none' } }, kind: 'drop-dead-letters' }),
  getDeliveryHistory: one => one.getDeliveryHistory('7d'),
  getStatus: one => one.getStatus(),
  listFirstSteps: one => one.listFirstSteps(),
  getTask: one => one.getTask(ID),
  listTasks: one => one.listTasks({ ...page, state: 'done' }),
  pauseTask: one => one.pauseTask(ID),
  restoreDeadLetters: one => one.restoreDeadLetters([ID]),
  resumeTask: one => one.resumeTask(ID),
  stopTask: one => one.stopTask(ID),
  eraseUser: one => one.eraseUser('u2'),
  explain: one => one.explain(ID),
  exportUser: one => one.exportUser('u1').next(),
  createUserTask: one => one.createUserTask('u1', 'export-user'),
  getUserTask: one => one.getUserTask('u1', ID),
  listUserTasks: one => one.listUserTasks('u1'),
  readExport: one => one.readExport('u1', ID).next(),
  stopUserTask: one => one.stopUserTask('u1', ID),
  getDeadLetter: one => one.getDeadLetter(ID),
  getErasure: one => one.getErasure(ID),
  getLayout: one => one.getLayout('l'),
  getLog: one => one.getLog(ID),
  getLogStats: one => one.getLogStats({ by: 'day', from: '2026-01-01', to: '2026-01-02', type: 'x' }),
  getPartial: one => one.getPartial('p'),
  getSchedule: one => one.getSchedule(ID),
  getTemplate: one => [one.getTemplate('x', 'EMAIL', which), one.getTemplate('x', 'EMAIL', { locale: 'de' })],
  getType: one => one.getType('x'),
  getUser: one => one.getUser('u1'),
  getUserPreferences: one => one.getUserPreferences('u1'),
  groupDeadLetters: one => one.groupDeadLetters(),
  identifyUser: one => one.identifyUser({ id: 'u1' }),
  listDeadLetters: one =>
    one.listDeadLetters({
      ...page,
      channel: 'EMAIL',
      code: 'c',
      endTime: 2,
      startTime: 1,
      type: 'x',
      userId: 'u1'
    }),
  countInApp: one => one.countInApp('u1', { tags: ['crew'], types: ['comment'] }),
  listInApp: one => one.listInApp('u1', { ...page, tags: ['crew'], types: ['comment'], view: 'unread' }),
  listLayouts: one => one.listLayouts(),
  listPartials: one => one.listPartials(),
  listSchedules: one => one.listSchedules({ ...page, type: 'x', userId: 'u1' }),
  listSlackChannels: one => one.listSlackChannels('u1'),
  listTypes: one => one.listTypes(),
  listUsers: one => one.listUsers({ ...page, q: 'u' }),
  previewType: one => one.previewType('x'),
  putLayout: one => one.putLayout('l', '{{ content_for_layout }}'),
  putPartial: one => one.putPartial('p', 'x'),
  putTemplate: one => [
    one.putTemplate('x', 'EMAIL', mail, which),
    one.putTemplate('x', 'EMAIL', mail, { locale: 'de' })
  ],
  putType: one => one.putType('x', { title: 'X' }),
  queryLogs: one => one.queryLogs(),
  redriveDeadLetters: one => one.redriveDeadLetters(order),
  resend: one => one.resend(ID, { channels: ['EMAIL'] }),
  retract: one => one.retract({ notificationId: 'x', userId: 'u1' }),
  send: one => one.send(send),
  setUserPreferences: one => one.setUserPreferences('u1', []),
  simulate: one => one.simulate({ send }),
  updateInAppItem: one => one.updateInAppItem('u1', ID, { title: 'x' }),
  updateInAppNotification: one => one.updateInAppNotification('u1', { trackingIds: [] }),
  updateSchedule: one => one.updateSchedule(ID, { schedule: '2027-01-01T00:00:00Z' }),
  updateUserPreferences: one => one.updateUserPreferences('u1', []),
  updateUserSettings: one => one.updateUserSettings('u1', { pause: { isOn: true } }),
  userHash: one => one.userHash('u1'),
  webhookSecret: one => one.webhookSecret(),
  diffTypeVersions: one => one.diffTypeVersions('x', { from: 1, to: 'latest' }),
  exportType: one => one.exportType('x', { version: 'published' }),
  getSentContent: one => one.getSentContent(ID),
  getUserOverview: one => one.getUserOverview('u1'),
  updateUser: one => one.updateUser('u1', { locale: 'de' }),
  getTypeDraft: one => one.getTypeDraft('x'),
  getTypeVersion: one => one.getTypeVersion('x', 'latest'),
  listTypeOverviews: one => one.listTypeOverviews(page),
  listTypeVariables: one => one.listTypeVariables('x'),
  listTypeVersions: one => one.listTypeVersions('x', page),
  publishTypeVersion: one => one.publishTypeVersion('x', 1),
  putTypeDraft: one => one.putTypeDraft('x', { note: 'n', title: 'X' })
}

const ADMIN: Calls<ReturnType<typeof createAdminClient>> = {
  createApiKey: one => one.createApiKey(CLIENT, { name: 'x', scopes: ['send'] }),
  listApiKeys: one => one.listApiKeys(CLIENT, page),
  previewPromotion: one => one.previewPromotion(CLIENT, { to: 'spare', type: 'x' }),
  promoteType: one => one.promoteType(CLIENT, { to: 'spare', type: 'x' }),
  revokeApiKey: one => one.revokeApiKey(CLIENT, ID),
  createEnvironment: one => one.createEnvironment({ clientId: 'spare' }),
  deleteEnvironment: one => one.deleteEnvironment('spare'),
  getEnvironment: one => one.getEnvironment('spare'),
  environment: one => one.environment(CLIENT).getType('x'),
  exportAuditLog: one =>
    one
      .exportAuditLog({
        action: 'getUser',
        actor: 'admin:00000000',
        clientId: CLIENT,
        endTime: 2,
        startTime: 1,
        subject: ID,
        userId: 'u1'
      })
      .next(),
  listAuditLog: one =>
    one.listAuditLog({
      ...page,
      action: 'getUser',
      actor: 'admin:00000000',
      clientId: CLIENT,
      endTime: 2,
      startTime: 1,
      subject: ID,
      userId: 'u1'
    }),
  listMembers: one => one.listMembers(page),
  listQueues: one => one.listQueues(),
  listSettings: one => one.listSettings(),
  signOutMember: one => one.signOutMember(ID),
  updateMember: one => one.updateMember(ID, { blocked: true }),
  pauseQueue: one => one.pauseQueue('SLACK', new Date(Date.now() + 60_000)),
  probeQueue: one => one.probeQueue('SLACK'),
  resumeQueue: one => one.resumeQueue('SLACK'),
  listEnvironments: one => one.listEnvironments(page),
  rotateSecret: one => one.rotateSecret('spare'),
  updateEnvironment: one => one.updateEnvironment('spare', { title: 'x' })
}

/** Accepts the problems of missing records; fails on any other error. */
async function settle(calls: unknown): Promise<void> {
  if (Array.isArray(calls)) return void (await Promise.all(calls.map(settle)))
  try {
    await calls
  } catch (error) {
    if (!(error instanceof NotifProblem)) throw error
    assert.ok([404, 409, 422].includes(error.status), error.message)
  }
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly in: string; readonly name: string }[]
}

test('each operation has a method with each of its parameters', async () => {
  const { admin, client, seen } = clients()
  for (const call of Object.values(CALLS)) await settle(call(client))
  for (const call of Object.values(ADMIN)) await settle(call(admin))

  const { json } = await app.ask('/openapi.json')
  const paths = json['paths'] as Record<string, Record<string, Operation>>
  const missing: string[] = []
  for (const [template, methods] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    for (const [method, { operationId, parameters }] of Object.entries(methods)) {
      if (operationId in ELSEWHERE) continue
      const requests = seen.filter(one => one.method === method.toUpperCase() && pattern.test(one.path))
      if (requests.length === 0) missing.push(operationId)
      const used = new Set(requests.flatMap(({ query }) => query))
      const names = parameters.filter(one => one.in === 'query').map(({ name }) => name)
      const unused = names.filter(name => !used.has(name)).map(name => `${operationId}?${name}`)
      missing.push(...unused.filter(name => !OLD.has(name)))
    }
  }
  assert.deepEqual(missing, [], 'server/client has no method for these')
})

test('layouts and partials are created, used and deleted', async () => {
  const { client } = clients()
  const brand = await client.putLayout('brand', '<main>{{ content_for_layout }}</main>')
  await client.putPartial('sign', '<b>{{ name }}</b>')
  assert.deepEqual(await client.getLayout('brand'), brand)
  assert.equal((await client.getPartial('sign')).text, '<b>{{ name }}</b>')
  const ids = async () =>
    [...(await client.listLayouts()), ...(await client.listPartials())].map(({ id }) => id)
  const idsBefore = await ids()
  assert.ok(idsBefore.includes('brand') && idsBefore.includes('sign'))
  const html = "{% layout 'brand' %}{% render 'sign', name: who %}"
  const { previews } = await client.previewType('letter', {
    parameters: { who: 'Amara' },
    templates: { EMAIL: { html, subject: 'x' } }
  })
  assert.match(previews[0]!.fields['html']!, /<main><b>Amara<\/b><\/main>/)
  await assert.rejects(client.putLayout('brand', 'nothing'), { status: 422 })
  await client.deleteLayout('brand')
  await client.deletePartial('sign')
  await assert.rejects(client.getPartial('sign'), { status: 404 })
  assert.deepEqual(
    await ids(),
    idsBefore.filter(id => id !== 'brand' && id !== 'sign')
  )
})

test('a template has variants by language', async () => {
  const { client } = clients()
  await client.putType('greeting', { templates: { INAPP_WEB: { title: 'Hello' } } })
  await client.putTemplate('greeting', 'INAPP_WEB', { title: 'Hallo' }, { locale: 'de' })
  assert.equal((await client.getTemplate('greeting', 'INAPP_WEB', { locale: 'de' })).title, 'Hallo')
  assert.equal((await client.getTemplate('greeting', 'INAPP_WEB')).title, 'Hello')
  await client.deleteTemplate('greeting', 'INAPP_WEB', { locale: 'de' })
  await assert.rejects(client.getTemplate('greeting', 'INAPP_WEB', { locale: 'de' }), { status: 404 })
})

test('a send is simulated for other contact details and rendered', async () => {
  const { client } = clients()
  const simulated = await client.simulate({
    now: '2026-12-24T08:00:00Z',
    preferences: [{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'trial' }],
    render: true,
    send: {
      ...send,
      email: { html: '<p>{{ n }}</p>', subject: 'No {{ n }}' },
      parameters: { n: 1 },
      type: 'trial'
    },
    user: { email: 'u1@example.com' }
  })
  assert.equal(simulated.wouldAnswer, 202)
  const byChannel = Object.fromEntries(simulated.channels.map(one => [one.channel, one]))
  assert.equal(byChannel['INAPP_WEB']!.decision, 'preference-off')
  assert.deepEqual(byChannel['EMAIL']!.to, ['u1@example.com'])
  assert.equal(byChannel['EMAIL']!.content!['subject'], 'No 1')
})
