// Every route with every wrong credential is refused as its access level says, and nothing is read or written.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Route, AccessLevel } from '../../server/http/route.ts'
import { createPreferencesToken, createUnsubscribeToken } from '../../server/users/link-pages/link-token.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import {
  ADMIN_TOKEN,
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  contents,
  hashOf,
  OTHER,
  OTHER_SECRET,
  SECRET,
  startApp,
  type Answer,
  type TestApp
} from './app.ts'
import {
  BROADCAST_ID,
  GOOD,
  ITEM,
  keepBroadcast,
  keepItem,
  keepLetter,
  keepSchedule,
  keepTask,
  keepTopic,
  LETTER,
  SCHEDULE,
  TASK,
  TOPIC,
  TYPE,
  USER
} from './requests.ts'

/** AccessLevel may call what. A new route stands here before it may exist. */
const ROUTES: Readonly<Record<string, AccessLevel>> = {
  'DELETE /:clientId/dead-letters/:letterId': 'back-end',
  'DELETE /:clientId/layouts/:partialId': 'back-end',
  'DELETE /:clientId/partials/:partialId': 'back-end',
  'GET /:clientId/layouts/:partialId': 'back-end',
  'GET /:clientId/partials/:partialId': 'back-end',
  'PUT /:clientId/layouts/:partialId': 'back-end',
  'PUT /:clientId/partials/:partialId': 'back-end',
  'GET /:clientId/layouts': 'back-end',
  'GET /:clientId/partials': 'back-end',
  'DELETE /:clientId/notifications/:id': 'back-end',
  'DELETE /:clientId/notifications/:id/subNotifications/:subId': 'back-end',
  'DELETE /environments/:clientId': 'admin',
  'DELETE /environments/:clientId/keys/:keyId': 'admin',
  'GET /environments/:clientId/keys': 'admin',
  'POST /environments/:clientId/keys': 'admin',
  'GET /admin': 'anyone',
  'GET /admin/*page': 'anyone',
  'GET /audit': 'admin',
  'GET /audit/export': 'admin',
  'DELETE /operators/members/:memberId/sessions': 'admin',
  'DELETE /operators/session': 'member',
  'DELETE /operators/sessions': 'member',
  'DELETE /operators/sessions/:sessionId': 'member',
  'GET /operators/members': 'admin',
  'GET /operators/oidc/callback': 'anyone',
  'GET /operators/oidc/start': 'anyone',
  'GET /operators/session': 'member',
  'GET /operators/sign-in-options': 'anyone',
  'GET /operators/sessions': 'member',
  'PATCH /operators/members/:memberId': 'admin',
  // With the admin token in the body.
  'POST /operators/session': 'anyone',
  'GET /docs': 'anyone',
  'GET /docs/samples.js': 'anyone',
  'GET /docs/script.js': 'anyone',
  'GET /docs/style.css': 'anyone',
  'GET /docs/try.js': 'anyone',
  'GET /environments': 'admin',
  'GET /environments/:clientId': 'admin',
  'PATCH /environments/:clientId': 'admin',
  'POST /environments': 'admin',
  'POST /environments/:clientId/secret': 'admin',
  'DELETE /:clientId/notifications/:id/templates/:channel': 'back-end',
  'DELETE /:clientId/notifications/:id/templates/:channel/:templateId': 'back-end',
  'DELETE /:clientId/schedule/:trackingId': 'back-end',
  'DELETE /:clientId/users/:userId': 'back-end',
  'DELETE /:clientId/users/:userId/preferences': 'user',
  'GET /': 'anyone',
  'DELETE /:clientId/topics/:topicId': 'back-end',
  'DELETE /:clientId/users/:userId/topics/:topicId': 'user',
  'GET /:clientId/topics': 'back-end',
  'GET /:clientId/topics/:topicId': 'back-end',
  'GET /:clientId/topics/:topicId/members': 'back-end',
  'GET /:clientId/users/:userId/topics': 'user',
  'PUT /:clientId/topics/:topicId': 'back-end',
  'PUT /:clientId/topics/:topicId/members': 'back-end',
  'PUT /:clientId/users/:userId/topics/:topicId': 'user',
  'GET /:clientId/dead-letters': 'back-end',
  'GET /:clientId/dead-letters/:letterId': 'back-end',
  'GET /:clientId/dead-letters/groups': 'back-end',
  'GET /:clientId/erasures/:erasureId': 'back-end',
  'GET /:clientId/logs/:trackingId': 'back-end',
  'GET /:clientId/logs/stats': 'back-end',
  'GET /:clientId/logs/:trackingId/explain': 'back-end',
  'GET /:clientId/notifications': 'back-end',
  'GET /:clientId/notifications/:id': 'back-end',
  'GET /:clientId/notifications/:id/templates/:channel': 'back-end',
  'GET /:clientId/notifications/:id/templates/:channel/:templateId': 'back-end',
  'GET /:clientId/sandbox/messages': 'back-end',
  'GET /:clientId/digests': 'back-end',
  'POST /:clientId/logs/live': 'back-end',
  'GET /:clientId/logs/suggestions': 'back-end',
  'GET /:clientId/schedule': 'back-end',
  'GET /:clientId/schedule/:trackingId': 'back-end',
  'GET /:clientId/users': 'back-end',
  'GET /:clientId/users/:userId': 'user',
  'GET /:clientId/users/:userId/account_metadata': 'user',
  'GET /:clientId/users/:userId/export': 'back-end',
  'GET /:clientId/users/:userId/inbox': 'user',
  'GET /:clientId/users/:userId/inbox/changes': 'user',
  'GET /:clientId/users/:userId/inbox/counts': 'user',
  'GET /:clientId/users/:userId/notifications/INAPP_WEB': 'user',
  'GET /:clientId/users/:userId/preferences': 'user',
  'GET /demo/strict': 'anyone',
  'GET /demo/states': 'anyone',
  'GET /demo/theming': 'anyone',
  'GET /:clientId/users/:userId/slack/channels': 'user',
  'GET /healthz': 'anyone',
  // To the same machine; others need the admin token.
  'GET /metrics': 'anyone',
  'GET /openapi.json': 'anyone',
  'GET /problems': 'anyone',
  'GET /preferences/:holder': 'anyone',
  'POST /preferences/:holder': 'anyone',
  'GET /unsubscribe/:token': 'anyone',
  'POST /unsubscribe/:token': 'anyone',
  // Believed by the signed address in the head of the mail.
  'POST /callbacks/bounce': 'anyone',
  'GET /queues': 'admin',
  'POST /queues/:queue/pause': 'admin',
  'POST /queues/:queue/probe': 'admin',
  'POST /queues/:queue/resume': 'admin',
  'GET /:clientId/status': 'back-end',
  'GET /:clientId/status/history': 'back-end',
  'GET /:clientId/first-steps': 'back-end',
  'GET /settings': 'admin',
  'GET /:clientId/broadcasts': 'back-end',
  'GET /:clientId/broadcasts/:broadcastId': 'back-end',
  'POST /:clientId/broadcasts': 'back-end',
  'POST /:clientId/broadcasts/estimate': 'back-end',
  'POST /:clientId/broadcasts/:broadcastId/pause': 'back-end',
  'POST /:clientId/broadcasts/:broadcastId/resume': 'back-end',
  'POST /:clientId/broadcasts/:broadcastId/retract': 'back-end',
  'POST /:clientId/broadcasts/:broadcastId/stop': 'back-end',
  'GET /:clientId/tasks': 'back-end',
  'GET /:clientId/tasks/:taskId': 'back-end',
  'POST /:clientId/tasks': 'back-end',
  'POST /:clientId/tasks/:taskId/pause': 'back-end',
  'POST /:clientId/tasks/:taskId/resume': 'back-end',
  'POST /:clientId/tasks/:taskId/stop': 'back-end',
  'GET /:clientId/users/:userId/tasks': 'back-end',
  'GET /:clientId/users/:userId/tasks/:taskId': 'back-end',
  'GET /:clientId/users/:userId/tasks/:taskId/result': 'back-end',
  'POST /:clientId/users/:userId/tasks': 'back-end',
  'POST /:clientId/users/:userId/tasks/:taskId/stop': 'back-end',
  'POST /:clientId/dead-letters/restore': 'back-end',
  'GET /readyz': 'anyone',
  // The token says the rest; test/http/legacy-addresses.test.ts.
  'DELETE /users/:userId/preferences': 'user',
  'GET /user/inapp': 'user',
  'GET /users/:userId': 'user',
  'GET /users/:userId/preferences': 'user',
  'GET /users/account-metadata': 'user',
  'PATCH /user/inapp': 'user',
  'POST /users/:userId': 'user',
  'PATCH /users/:userId/preferences': 'user',
  'POST /users/:userId/preferences': 'user',
  // In a demo; elsewhere with the admin token.
  'GET /sandbox': 'anyone',
  'GET /sandbox/live.js': 'anyone',
  'GET /sandbox/messages/:id/html': 'anyone',
  'GET /sandbox/style.css': 'anyone',
  'PATCH /:clientId/schedule/:trackingId': 'back-end',
  'PATCH /:clientId/users/:userId/inbox': 'user',
  'PATCH /:clientId/users/:userId/inbox/:trackingId': 'back-end',
  'POST /:clientId/users/:userId/inbox/:trackingId/actions/:actionId': 'user',
  'PATCH /:clientId/users/:userId/notifications/INAPP_WEB': 'user',
  'PATCH /:clientId/users/:userId/preferences': 'user',
  'POST /:clientId/dead-letters/drop': 'back-end',
  'POST /:clientId/dead-letters/redrive': 'back-end',
  'POST /:clientId/logs/:trackingId/resend': 'back-end',
  'POST /:clientId/logs/query': 'back-end',
  'POST /:clientId/notifications/:id/preview': 'back-end',
  'GET /:clientId/notifications/:id/diff': 'back-end',
  'GET /:clientId/notifications/:id/draft': 'back-end',
  'GET /:clientId/notifications/:id/export': 'back-end',
  'GET /:clientId/notifications/:id/variables': 'back-end',
  'GET /:clientId/notifications/:id/versions': 'back-end',
  'GET /:clientId/types': 'back-end',
  'GET /:clientId/logs/:trackingId/content': 'back-end',
  'GET /:clientId/users/:userId/overview': 'back-end',
  'PATCH /:clientId/users/:userId': 'back-end',
  'GET /environments/:clientId/promotions': 'admin',
  'POST /environments/:clientId/promotions': 'admin',
  'GET /:clientId/notifications/:id/versions/:version': 'back-end',
  'POST /:clientId/notifications/:id/publish': 'back-end',
  'PUT /:clientId/notifications/:id/draft': 'back-end',
  'POST /:clientId/simulate': 'back-end',
  'POST /:clientId/sender': 'back-end',
  'POST /:clientId/sender/retract': 'back-end',
  'POST /:clientId/user_preferences/:userId': 'back-end',
  'POST /:clientId/users/:userId': 'user',
  'POST /:clientId/users/:userId/preferences': 'user',
  // Only in a demo, and only from its page.
  'POST /demo/send': 'anyone',
  'POST /demo/try': 'anyone',
  'PUT /:clientId/notifications/:id': 'back-end',
  'PUT /:clientId/notifications/:id/subNotifications/:subId': 'back-end',
  'PUT /:clientId/notifications/:id/templates/:channel': 'back-end',
  'PUT /:clientId/notifications/:id/templates/:channel/:templateId': 'back-end',
  'PUT /:clientId/schedule/:trackingId': 'back-end'
}

const PARAMS: Readonly<Record<string, string>> = {
  ':actionId': 'approve',
  ':broadcastId': BROADCAST_ID,
  ':channel': 'INAPP_WEB',
  ':version': '1',
  ':clientId': CLIENT,
  ':id': TYPE,
  ':holder': createPreferencesToken(TEST_ENCRYPTION, { envId: CLIENT, userId: USER }),
  ':token': createUnsubscribeToken(TEST_ENCRYPTION, {
    envId: CLIENT,
    notificationId: TYPE,
    subNotificationId: '',
    userId: USER
  }),
  ':subId': 'project-1',
  ':letterId': LETTER,
  ':queue': 'SLACK',
  ':taskId': TASK,
  ':templateId': 'short',
  ':topicId': TOPIC,
  ':trackingId': SCHEDULE,
  ':userId': USER
}

const SPARE = 'client_3'

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
/** Ids of a session, and of its member. */
async function newSession(): Promise<Readonly<Record<string, string>>> {
  const headers = await app.signIn()
  const own = await app.ask('/operators/session', { headers })
  const all = await app.ask('/operators/sessions', { headers })
  const sessions = all.json['sessions'] as { id: string; current: boolean }[]
  const { id } = own.json['member'] as { id: string }
  return { ':memberId': id, ':sessionId': sessions.find(({ current }) => current)!.id }
}

const isReading = ({ method }: Route): boolean => method === 'GET'

let app: TestApp
/** A send that the log of {@link CLIENT} knows. */
let logged: string
/** Proof of one in {@link CLIENT}. */
let erasure: string
/** An API key of {@link SPARE}. */
let key: string
let session: Readonly<Record<string, string>>
before(async () => {
  app = await startApp()
  const inapp = { title: 'Comment' }
  const type = { templates: { inapp, 'inapp/short': inapp } }
  for (const [clientId, secret] of [
    [CLIENT, SECRET],
    [OTHER, OTHER_SECRET]
  ] as const) {
    const headers = basic(`${clientId}:${secret}`)
    await app.ask(`/${clientId}/notifications/${TYPE}`, {
      body: JSON.stringify(type),
      headers,
      method: 'PUT'
    })
    const body = JSON.stringify({
      email: { html: `Mail of ${clientId}`, subject: 'Mail' },
      inapp: { title: `Of ${clientId}` },
      to: { email: 'u1@example.com', id: USER },
      type: TYPE,
      forceChannels: ['EMAIL', 'INAPP_WEB']
    })
    const { json, status, text } = await app.ask(`/${clientId}/sender`, { body, headers, method: 'POST' })
    assert.equal(status, 200, text)
    if (clientId === CLIENT) logged = String(json['trackingId'])
  }
  await app.ask(`/${CLIENT}/users/leaving`, { headers: asBackEnd, method: 'POST' })
  const slackToken = { access_token: 'xoxb-1', authed_user: { id: 'U024BE7LH' } }
  const connected = { body: JSON.stringify({ slackToken }), headers: asUser(USER), method: 'POST' }
  assert.equal((await app.ask(`/${CLIENT}/users/${USER}`, connected)).status, 200)
  const gone = await app.ask(`/${CLIENT}/users/leaving`, { headers: asBackEnd, method: 'DELETE' })
  erasure = String(gone.json['erasureId'])
  await keepSchedule(app)
  await keepLetter(app)
  await keepTask(app)
  await keepBroadcast(app)
  await keepItem(app)
  await keepTopic(app)
  await app.queues.idle('EMAIL')
  const body = JSON.stringify({ clientId: SPARE })
  const { status } = await app.ask('/environments', { body, headers: asAdmin, method: 'POST' })
  assert.equal(status, 201)
  const created = await app.ask(`/environments/${SPARE}/keys`, {
    body: JSON.stringify({ name: 'Billing', scopes: ['send'] }),
    headers: asAdmin,
    method: 'POST'
  })
  key = String(created.json['id'])
  session = await newSession()
})
after(() => app[Symbol.asyncDispose]())

const NEEDS_TYPE = new Set([
  'DELETE /:clientId/users/:userId/preferences',
  'DELETE /users/:userId/preferences'
])

/** A request that would be taken if the credentials were right. */
function ask(route: Route, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { method, path } = route
  const good = GOOD[nameOf(route)]
  const own = path.includes('/logs/')
    ? { ':trackingId': logged }
    : path.includes('/inbox/:')
      ? { ':trackingId': ITEM }
      : {}
  // What is done to an environment is done to one that no other test needs.
  const spare = path.startsWith('/environments/') && !path.endsWith('/promotions') && { ':clientId': SPARE }
  const params: typeof PARAMS = {
    ...PARAMS,
    ':erasureId': erasure,
    ':keyId': key,
    ...session,
    ...own,
    ...spare
  }
  const address = path.replaceAll(/:\w+/g, name => encodeURIComponent(params[name]!))
  const query = path.endsWith('/changes')
    ? '?since=0'
    : path.endsWith('/promotions') && method === 'GET'
      ? `?to=${SPARE}&type=${TYPE}`
      : NEEDS_TYPE.has(nameOf(route))
        ? `?notificationId=${TYPE}`
        : ''
  return app.ask(`${address}${query}`, { headers, method, ...(good && { body: JSON.stringify(good.body) }) })
}

/** Right for somebody: where the token alone says whose the address is, it is read as theirs. */
const OF_OTHERS = new Set([
  'another user of another environment',
  'another user, in full',
  'the right secret of another environment',
  'the hash of somebody whose id begins the same',
  'the same user of another environment',
  'the same user without secure mode'
])

const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, sign => (sign < 'a' ? sign.toLowerCase() : sign.toUpperCase()))

const hash = hashOf(USER)

/** Refused everywhere but where anyone may call. */
const NOBODY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an empty header': { authorization: '' },
  'another scheme': { authorization: `Digest ${CLIENT}:${SECRET}` },
  'no base64': { authorization: `Basic ${CLIENT}:${SECRET}` },
  'no colon': basic(CLIENT),
  'no credentials': {},
  'no scheme': { authorization: Buffer.from(`${CLIENT}:${SECRET}`).toString('base64') },
  'only the client id': basic(`${CLIENT}:`),
  'the secret as bearer token': { authorization: `Bearer ${SECRET}` },
  'the secret as a query would be': { 'x-client-secret': SECRET, 'x-user-hash': hash },
  'the secret in another case': basic(`${CLIENT}:${swapCase(SECRET)}`),
  'the secret of another environment': basic(`${CLIENT}:${OTHER_SECRET}`),
  'the secret twice': basic(`${CLIENT}:${SECRET}${SECRET}`),
  'the secret with a line end': basic(`${CLIENT}:${SECRET}\n`),
  'the secret without its end': basic(`${CLIENT}:${SECRET.slice(0, -1)}`),
  'the words of JavaScript': basic('undefined:undefined'),
  'the wrong secret': basic(`${CLIENT}:wrong`),
  'the right secret of another environment': basic(`${OTHER}:${OTHER_SECRET}`),
  'the right secret under another client id': basic(`${OTHER}:${SECRET}`),
  'the client id in another case': basic(`${swapCase(CLIENT)}:${SECRET}`)
}

const USERS: typeof NOBODY = {
  'a hash and more': basic(`${CLIENT}:${USER}:${hash}x`),
  'a hash by another environment': basic(`${CLIENT}:${USER}:${hashOf(USER, OTHER_SECRET)}`),
  'a hash in another case': basic(`${CLIENT}:${USER}:${swapCase(hash)}`),
  'a hash without its end': basic(`${CLIENT}:${USER}:${hash.slice(0, -1)}`),
  'a wrong hash': basic(`${CLIENT}:${USER}:${hashOf('wrong')}`),
  'an empty hash': basic(`${CLIENT}:${USER}:`),
  'another user of another environment': basic(`${OTHER}:u2:${hashOf('u2', OTHER_SECRET)}`),
  'another user with the right hash of this one': basic(`${CLIENT}:u2:${hash}`),
  'another user, in full': asUser('u2'),
  'no hash': basic(`${CLIENT}:${USER}`),
  'no user': basic(`${CLIENT}::${hash}`),
  'one letter of the hash': basic(`${CLIENT}:${USER}:${hash[0]}`),
  'the hash in hexadecimal': basic(`${CLIENT}:${USER}:${Buffer.from(hash, 'base64').toString('hex')}`),
  'the hash of somebody whose id begins the same': basic(`${CLIENT}:${USER}1:${hashOf(`${USER}1`)}`),
  'the same user of another environment': basic(`${OTHER}:${USER}:${hashOf(USER, OTHER_SECRET)}`),
  'the same user without secure mode': basic(`${OTHER}:${USER}`),
  'the word undefined': basic(`${CLIENT}:${USER}:undefined`)
}

const ADMIN: typeof NOBODY = {
  'the admin token without its end': { authorization: asAdmin.authorization.slice(0, -1) },
  'the admin token as secret': basic(`${CLIENT}:${ADMIN_TOKEN}`)
}

const REFUSED: Readonly<Record<Exclude<AccessLevel, 'anyone'>, typeof NOBODY>> = {
  member: { ...NOBODY, ...USERS, ...ADMIN, 'a back end': asBackEnd, 'an operator': asAdmin },
  admin: { ...NOBODY, ...USERS, 'a back end': asBackEnd, 'a user': asUser(USER) },
  'back-end': { ...NOBODY, ...USERS, ...ADMIN, 'a user': asUser(USER) },
  user: { ...NOBODY, ...USERS, ...ADMIN }
}

const RIGHT: Readonly<Record<Exclude<AccessLevel, 'member'>, Readonly<Record<string, string>>>> = {
  admin: asAdmin,
  anyone: {},
  'back-end': asBackEnd,
  user: asUser(USER)
}

/** A route may end the session, so each call has its own. */
const rightFor = async ({ access }: Route): Promise<Readonly<Record<string, string>>> =>
  access === 'member' ? app.signIn() : RIGHT[access]

test('lists every route with its access level', () => {
  const found = Object.fromEntries(app.routes.map(route => [nameOf(route), route.access]))
  assert.deepEqual(found, ROUTES)
})

test('refuses wrong credentials on every route, and writes nothing', async () => {
  const earlier = await contents(app)
  for (const route of app.routes) {
    if (route.access === 'anyone') continue
    for (const [kind, headers] of Object.entries(REFUSED[route.access])) {
      const what = `${nameOf(route)} with ${kind}`
      if (route.aliasOf !== undefined && OF_OTHERS.has(kind)) continue
      const answer = await ask(route, headers)
      assert.equal(answer.status, 401, `${what}: ${answer.status} ${answer.text.slice(0, 200)}`)
      assert.match(answer.headers['content-type']!, /^application\/problem\+json/, what)
      assert.match(answer.headers['www-authenticate']!, /^(?:Basic|Bearer) realm=/, what)
      // Nothing of what is behind the door.
      assert.doesNotMatch(answer.text, /u1@example|Of client|Comment/, what)
    }
  }
  assert.deepEqual(await contents(app), earlier)
})

test('accepts the admin token wherever a back end may read', async () => {
  for (const route of app.routes.filter(isReading)) {
    if (route.access !== 'back-end' && route.access !== 'user') continue
    const { status } = await ask(route, asAdmin)
    const expected = route.aliasOf === undefined ? (await ask(route, await rightFor(route))).status : 401
    assert.equal(status, expected, nameOf(route))
  }
})

/** There is no message `comment`, and no OpenID provider. */
const MISSING = new Set(['/operators/oidc/callback', '/operators/oidc/start', '/sandbox/messages/:id/html'])

test('accepts the same requests with the right credentials', async () => {
  const reading = app.routes.filter(isReading)
  const removing = app.routes.filter(({ method }) => method === 'DELETE')
  const writing = app.routes.filter(route => !isReading(route) && !removing.includes(route))
  const longestFirst = removing.toSorted((a, b) => b.path.length - a.path.length)
  for (const route of [...writing, ...reading, ...longestFirst]) {
    if (route.path.startsWith('/operators/')) session = await newSession()
    const { status, text } = await ask(route, await rightFor(route))
    const expected = MISSING.has(route.path) ? [404] : [200, 201, 202, 204]
    assert.ok(expected.includes(status), `${nameOf(route)}: ${status} ${text.slice(0, 200)}`)
  }
})

test('answers for an unknown environment as for wrong credentials', async () => {
  for (const clientId of ['nobody', '%00', '..', 'x'.repeat(300), '__proto__', "';--"]) {
    for (const path of ['sender', `users/${USER}/inbox`]) {
      const method = path === 'sender' ? 'POST' : 'GET'
      const { status } = await app.ask(`/${clientId}/${path}`, { headers: asBackEnd, method })
      assert.equal(status, 401, `${clientId} ${path}`)
    }
  }
})

const itemsOf = async (clientId: string, user: string, headers: Readonly<Record<string, string>>) => {
  const answer = await app.ask(`/${clientId}/users/${user}/inbox`, { headers })
  assert.equal(answer.status, 200, answer.text)
  return answer.json['items'] as { id: string; title: string; opened?: string }[]
}

describe('environments and users are separate', () => {
  const asOther = basic(`${OTHER}:${OTHER_SECRET}`)

  test('separates the same ids of two environments', async () => {
    const [one] = await itemsOf(OTHER, USER, asOther)
    assert.equal(one!.title, `Of ${OTHER}`)
    const kept = await app.ask(`/${OTHER}/sandbox/messages`, { headers: asOther })
    assert.doesNotMatch(kept.text, new RegExp(`Mail of ${CLIENT}`))
    const body = JSON.stringify({ notificationId: TYPE, userId: USER })
    await sendTo(USER)
    const mine = await itemsOf(CLIENT, USER, asUser(USER))
    const gone = await app.ask(`/${OTHER}/sender/retract`, { body, headers: asOther, method: 'POST' })
    assert.equal(gone.json['count'], 1)
    assert.deepEqual(await itemsOf(CLIENT, USER, asUser(USER)), mine)
  })

  test('marks nothing for ids of notifications of another user', async () => {
    await sendTo('victim')
    const before = await itemsOf(CLIENT, 'victim', asUser('victim'))
    const trackingIds = before.map(({ id }) => id)
    const body = JSON.stringify({ archived: '2026-11-20T00:00:00Z', trackingIds })
    for (const [clientId, headers] of [
      [CLIENT, asUser('thief')],
      [OTHER, basic(`${OTHER}:victim`)]
    ] as const) {
      const user = clientId === CLIENT ? 'thief' : 'victim'
      for (const path of ['inbox', 'notifications/INAPP_WEB']) {
        const address = `/${clientId}/users/${user}/${path}`
        assert.equal((await app.ask(address, { body, headers, method: 'PATCH' })).status, 200)
      }
    }
    assert.deepEqual(await itemsOf(CLIENT, 'victim', asUser('victim')), before)
  })

  test('refuses the id of another user in a body', async () => {
    const body = JSON.stringify({ email: 'thief@example.com', id: 'victim' })
    const { status, text } = await app.ask(`/${CLIENT}/users/thief`, {
      body,
      headers: asUser('thief'),
      method: 'POST'
    })
    assert.equal(status, 422)
    assert.match(text, /#\/id/)
  })

  test('separates idempotency keys of users and environments', async () => {
    const key = { 'idempotency-key': 'the same' }
    const ids = new Set<unknown>()
    for (const [clientId, headers, user] of [
      [CLIENT, asBackEnd, 'k1'],
      [CLIENT, asBackEnd, 'k2'],
      [OTHER, asOther, 'k1']
    ] as const) {
      const body = JSON.stringify({ inapp: { title: 'x' }, to: { id: user }, type: TYPE })
      const { json, status } = await app.ask(`/${clientId}/sender`, {
        body,
        headers: { ...headers, ...key },
        method: 'POST'
      })
      assert.equal(status, 200)
      ids.add(json['trackingId'])
    }
    assert.equal(ids.size, 3)
  })

  test('needs no hash without secure mode, and refuses a wrong one', async () => {
    const address = `/${OTHER}/users/${USER}/inbox`
    for (const end of ['', ':', ':undefined', `:${hashOf(USER, OTHER_SECRET)}`]) {
      const { status } = await app.ask(address, { headers: basic(`${OTHER}:${USER}${end}`) })
      assert.equal(status, 200, end)
    }
    for (const end of [':wrong', `:${hash}`, 'x', ':null']) {
      const { status } = await app.ask(address, { headers: basic(`${OTHER}:${USER}${end}`) })
      assert.equal(status, 401, end)
    }
  })
})

const sendTo = async (user: string): Promise<void> => {
  const body = JSON.stringify({ inapp: { title: 'Hello' }, to: { id: user }, type: TYPE })
  const { status } = await app.ask(`/${CLIENT}/sender`, { body, headers: asBackEnd, method: 'POST' })
  assert.equal(status, 200)
}

test('refuses the routes of the demo page to other origins, also of another port', async () => {
  const body = JSON.stringify(GOOD['POST /demo/send']!.body)
  const own = new URL(app.url).origin
  const other = `http://127.0.0.1:${app.port + 1}`
  const asked: [Record<string, string>, number][] = [
    [{}, 200],
    [{ origin: own }, 200],
    [{ origin: own, 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: other, 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    // Over plain http to an address of the network browsers say the origin alone.
    [{ origin: other }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403]
  ]
  for (const [headers, expected] of asked) {
    for (const [path, text] of [
      ['/demo/send', body],
      ['/demo/try', JSON.stringify(GOOD['POST /demo/try']!.body)]
    ] as const) {
      const { status } = await app.ask(path, { body: text, headers, method: 'POST' })
      assert.equal(status, expected, `${path} ${JSON.stringify(headers)}`)
    }
  }
  // The proxy before it names it by another host.
  await using behind = await startApp({ NOTIF_DEMO: '1', NOTIF_PUBLIC_URL: 'http://notify.example/notif' })
  const headers = { origin: 'http://notify.example' }
  assert.equal((await behind.ask('/demo/send', { body, headers, method: 'POST' })).status, 200)
})

test('shows metrics to the same machine, or with the admin token', async () => {
  assert.equal((await app.ask('/metrics')).status, 200)
  for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
    assert.equal((await app.ask('/metrics', { headers })).status, 401)
    assert.equal((await app.ask('/metrics', { headers: { ...headers, ...asBackEnd } })).status, 401)
    assert.equal((await app.ask('/metrics', { headers: { ...headers, ...asAdmin } })).status, 200)
  }
})

test('has no demo routes without a demo, and needs the admin token for the sandbox', async () => {
  await using real = await startApp({ NOTIF_DEMO: '0' })
  assert.deepEqual(
    app.routes.map(nameOf).filter(name => !real.routes.some(route => nameOf(route) === name)),
    [
      'GET /',
      'GET /demo/strict',
      'GET /demo/states',
      'GET /demo/theming',
      'POST /demo/try',
      'POST /demo/send',
      'GET /docs/try.js'
    ]
  )
  assert.equal((await real.ask('/')).status, 404)
  const { body } = GOOD['POST /demo/send']!
  assert.equal((await real.ask('/demo/send', { body: JSON.stringify(body), method: 'POST' })).status, 404)
  const message = '/sandbox/messages/01a1fdc2-26be-7060-ad82-52624f4a4990/html'
  for (const path of ['/sandbox', '/sandbox?env=client_2', message]) {
    for (const [kind, headers] of Object.entries({ ...NOBODY, ...USERS, 'a back end': asBackEnd })) {
      assert.equal((await real.ask(path, { headers })).status, 401, `${path} with ${kind}`)
    }
    for (const headers of [asAdmin, basic(`anybody:${ADMIN_TOKEN}`)]) {
      assert.equal((await real.ask(path, { headers })).status, path === message ? 404 : 200)
    }
  }
})
