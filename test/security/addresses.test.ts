// Hostile text in every part of every address and query, on every route, causes no 5xx and changes no row.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import type { Route } from '../../server/http/route.ts'
import { until } from '../support/process.ts'
import { asAdmin, asBackEnd, asUser, CLIENT, contents, startApp, type Answer, type TestApp } from './app.ts'
import {
  BROADCAST_ID,
  GOOD,
  keepBroadcast,
  keepLetter,
  keepSchedule,
  keepTask,
  LETTER,
  SCHEDULE,
  TASK,
  TYPE,
  USER
} from './requests.ts'

/** As they stand in the address. */
const PARTS: Readonly<Record<string, string>> = {
  'a NUL': '%00',
  'a NUL within': 'a%00b',
  'a bare percent sign': '%',
  'a percent sign and no digits': '%zz',
  'half a character': '%ff',
  'half a surrogate pair': '%ed%a0%80',
  'a longer form of NUL': '%c0%80',
  'UTF-16': '%fe%ff%00a',
  'a slash': 'a%2Fb',
  'two dots': '%2e%2e%2fetc%2fpasswd',
  'a colon': 'a:b',
  'a percent sign': '100%25',
  'a line break': 'a%0d%0aX-Injected:%201',
  'a control character': '%07',
  'the turn of direction': '%e2%80%aeabc',
  '255 emoji': '%F0%9F%98%80'.repeat(255),
  '256 emoji': '%F0%9F%98%80'.repeat(256),
  '256 signs': 'x'.repeat(256),
  '5,000 signs': 'x'.repeat(5_000),
  __proto__: '__proto__',
  constructor: 'constructor',
  toString: 'toString',
  undefined: 'undefined',
  'a quote': "';drop%20table%20users;--",
  'a pattern': '%25%5f*',
  'a template': '{{a}}',
  'a number': '-1',
  'a large number': '9'.repeat(40),
  'an id of nobody': '00000000-0000-0000-0000-000000000000',
  'an id in capitals': SCHEDULE.toUpperCase().replace('7000', '4000'),
  'an id and more': `${SCHEDULE}%0a`,
  JSON: '%7B%22%24ne%22:null%7D'
}

/** As they stand after the equals sign. `%` and lone halves are read as what URLs make of them. */
const VALUES: readonly string[] = [
  '',
  '%00',
  '%',
  '%ff',
  '%ed%a0%80',
  '-1',
  '0',
  '1.5',
  '1e400',
  '9'.repeat(40),
  'NaN',
  'true',
  'x'.repeat(3_000),
  '%F0%9F%98%80'.repeat(300),
  '__proto__',
  '{"$ne":null}',
  "'%20or%201=1",
  'eyJ2IjoxfQ',
  Buffer.from('[]').toString('base64url'),
  Buffer.from('null').toString('base64url'),
  Buffer.from('{"id":1,"due":"x"}').toString('base64url'),
  '2026-02-30T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '00000000-0000-0000-0000-000000000000'
]

/** Every value for what a route reads, a few for names that none does. */
const queriesOf = ({ doc, path }: Route): string[] => {
  const read = [
    ...Object.keys(doc?.query?.shape ?? {}),
    ...(path.startsWith('/sandbox') ? ['before', 'env', 'images', 'm', 'user', 'view'] : []),
    ...(path.endsWith('/preferences') ? ['notificationId', 'subNotificationId'] : [])
  ]
  return [
    ...read.flatMap(name => VALUES.map(value => `${name}=${value}`)),
    'nobody=',
    'nobody=%',
    '__proto__=x',
    '%00=%00',
    '',
    '?',
    '&&&=',
    '=1',
    'a&'.repeat(5_000),
    ...read.slice(0, 1).map(name => `${name}=1&${name}=x`)
  ]
}

const GOOD_PARTS: Readonly<Record<string, string>> = {
  ':actionId': 'approve',
  ':holder': 'nobody',
  ':token': 'nobody',
  ':broadcastId': BROADCAST_ID,
  ':channel': 'inapp',
  ':clientId': CLIENT,
  ':erasureId': SCHEDULE,
  ':id': TYPE,
  ':letterId': LETTER,
  ':queue': 'SLACK',
  ':subId': 'project-1',
  ':taskId': TASK,
  ':templateId': 'short',
  ':trackingId': SCHEDULE,
  ':userId': USER
}

let app: TestApp
before(async () => {
  app = await startApp()
  const inapp = { title: 'Comment' }
  const made = await app.ask(`/${CLIENT}/notifications/${TYPE}`, {
    body: JSON.stringify({ templates: { inapp, 'inapp/short': inapp } }),
    headers: asBackEnd,
    method: 'PUT'
  })
  assert.equal(made.status, 201, made.text)
  await keepSchedule(app)
  await keepLetter(app)
  await keepTask(app)
  await keepBroadcast(app)
})
after(() => app[Symbol.asyncDispose]())

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** Of the user whose id the address holds, where it can be read. */
function headersFor({ access }: Route, part: string): Readonly<Record<string, string>> {
  if (access === 'admin') return asAdmin
  if (access === 'back-end') return asBackEnd
  if (access === 'anyone') return {}
  try {
    return asUser(decodeURIComponent(part))
  } catch {
    return asBackEnd
  }
}

function assertSound({ headers, json, status, text }: Answer, what: string): void {
  assert.ok(status < 500, `${what}: ${status} ${text.slice(0, 300)}`)
  assert.equal(headers['x-injected'], undefined, what)
  // A page that people open says what is wrong as a page.
  if (status < 400 || / \/(?:unsubscribe|preferences)\//.test(what)) return
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, what)
  assert.equal(json['status'], status, what)
}

const ask = (route: Route, address: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
  const good = GOOD[nameOf(route)]
  const writes = good && { body: JSON.stringify(good.body) }
  return app.ask(address, { headers, method: route.method, ...writes })
}

/** One part is hostile, the others lead to what is there. */
const addressOf = (path: string, name: string, part: string): string =>
  path.replaceAll(/:\w+/g, found => (found === name ? part : GOOD_PARTS[found]!))

describe('in every part of every address', () => {
  for (const name of Object.keys(GOOD_PARTS)) {
    test(name, { timeout: 120_000 }, async () => {
      const routes = app.routes.filter(({ path }) => path.split('/').includes(name))
      assert.ok(routes.length > 0, `no route has ${name}`)
      const earlier = await contents(app)
      for (const route of routes) {
        for (const [kind, part] of Object.entries(PARTS)) {
          const what = `${nameOf(route)}: ${kind} as ${name}`
          const headers = headersFor(route, name === ':userId' ? part : USER)
          // What may be taken under such a name is taken, so only reading and deleting must leave everything alone.
          if (route.method !== 'GET' && route.method !== 'DELETE') continue
          assertSound(await ask(route, addressOf(route.path, name, part), headers), what)
        }
      }
      const { erasures, erasure_epochs: epochs, ...rest } = await contents(app)
      const { erasures: earlierErasures, erasure_epochs: earlierEpochs, ...before } = earlier
      assert.deepEqual(rest, before, `${name} left or took something`)
      // Whoever asks to erase an unknown person gets proof of it, too.
      if (name !== ':userId') assert.deepEqual([erasures, epochs], [earlierErasures, earlierEpochs])
      for (const route of routes) {
        for (const [kind, part] of Object.entries(PARTS)) {
          if (route.method === 'GET' || route.method === 'DELETE') continue
          const headers = headersFor(route, name === ':userId' ? part : USER)
          const answer = await ask(route, addressOf(route.path, name, part), headers)
          assertSound(answer, `${nameOf(route)}: ${kind} as ${name}`)
        }
      }
    })
  }
})

describe('in every query', () => {
  test('of routes that read', { timeout: 120_000 }, async () => {
    // Exports that the addresses before ordered.
    await until(async () => {
      const [row] = await app.db
        .control`select count(*)::integer as open from tasks where ended_at is null and start_at is null and kind <> 'none'`
      return row!['open'] === 0
    }, 'the tasks end')
    const earlier = await contents(app)
    for (const route of app.routes) {
      if (route.method !== 'GET') continue
      const address = addressOf(route.path, '', '')
      const headers = headersFor(route, USER)
      for (const query of queriesOf(route)) {
        const answer = await ask(route, `${address}?${query}`, headers)
        assertSound(answer, `${nameOf(route)}?${query.slice(0, 60)}`)
      }
    }
    assert.deepEqual(await contents(app), earlier)
  })

  test('of routes that take something back', { timeout: 120_000 }, async () => {
    for (const route of app.routes) {
      if (route.method !== 'DELETE' || route.path === '/environments/:clientId') continue
      const address = addressOf(route.path, '', '')
      for (const query of queriesOf(route)) {
        const answer = await ask(route, `${address}?${query}`, headersFor(route, USER))
        assertSound(answer, `${nameOf(route)}?${query.slice(0, 60)}`)
      }
    }
  })
})
