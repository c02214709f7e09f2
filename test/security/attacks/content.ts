// Attacks by content: headers, log lines, SQL, script, and members that every object inherits.

import assert from 'node:assert/strict'

import { ADMIN_TOKEN, asBackEnd, asUser, basic, CLIENT, OTHER, type Asked } from '../app.ts'
import { ATTACKER, post, refused, sendBytes, sendTo, type Attack } from './attempt.ts'

export const injection: readonly Attack[] = [
  ...(['fromName', 'fromAddress'] as const).map((field): Attack => [
    `a header of an email by ${field}`,
    refused(
      `/${CLIENT}/sender`,
      sendTo({
        email: { html: 'x', subject: 'x' },
        options: { email: { [field]: 'a@example.com\r\nBcc: e@evil.example' } }
      }),
      [422]
    )
  ]),
  ...(['ccAddresses', 'replyToAddresses'] as const).map((field): Attack => [
    `a second address in ${field}`,
    refused(
      `/${CLIENT}/sender`,
      sendTo({
        email: { html: 'x', subject: 'x' },
        options: { email: { [field]: ['a@example.com, e@evil.example'] } }
      }),
      [422]
    )
  ]),
  [
    'a header of an email by the subject',
    refused(`/${CLIENT}/sender`, sendTo({ email: { html: 'x', subject: 'a\r\nBcc: e@evil.example' } }), [422])
  ],
  [
    'a header of an email by a parameter in the subject',
    async app => {
      const sent = await app.ask(
        `/${CLIENT}/sender`,
        sendTo({
          email: { html: 'x', subject: 'a {{ x }}' },
          parameters: { x: '\r\nBcc: e@evil.example\r\n\r\nx' }
        })
      )
      assert.equal(sent.status, 200, sent.text)
      await app.queues.idle('EMAIL')
      const [row] = await app.db.control<{ message: { headers: { name: string }[] } }[]>`
      select message from sandbox_messages where bucket >= 0 and channel = 'EMAIL' order by id desc limit 1`
      assert.ok(!row!.message.headers.some(({ name }) => name.toLowerCase() === 'bcc'))
    }
  ],
  [
    'a line of the log by a path',
    async app => {
      await app.ask(`/${CLIENT}/users/${encodeURIComponent('x\n{"level":60,"msg":"forged"}')}`, {
        headers: asUser('x')
      })
      assert.ok(
        !app
          .log()
          .split('\n')
          .some(line => line.startsWith('{"level":60,"msg":"forged"'))
      )
    }
  ],
  [
    'a line of the log by a header',
    async app => {
      await sendBytes(
        app,
        `GET /healthz HTTP/1.1\r\nHost: x\r\nUser-Agent: a\x0b{"level":60}\r\nConnection: close\r\n\r\n`
      )
      assert.ok(
        !app
          .log()
          .split('\n')
          .some(line => line.startsWith('{"level":60}'))
      )
    }
  ],
  [
    'SQL by a user id',
    refused(
      `/${CLIENT}/users/${encodeURIComponent("x' or '1'='1")}/inbox`,
      { headers: asUser("x' or '1'='1") },
      [200],
      ({ json }) => assert.deepEqual(json['items'], [])
    )
  ],
  [
    'SQL by a search',
    refused(
      `/${CLIENT}/users?q=${encodeURIComponent("%' or true --")}`,
      { headers: asBackEnd },
      [200],
      ({ json }) => assert.deepEqual(json['users'], [])
    )
  ],
  [
    'every user by a wildcard',
    refused(`/${CLIENT}/users?q=%25`, { headers: asBackEnd }, [200], ({ json }) =>
      assert.deepEqual(json['users'], [])
    )
  ],
  [
    'a header of an answer by the path',
    async app => {
      const text = await sendBytes(
        app,
        `GET /docs%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      )
      assert.doesNotMatch(text, /^x-evil/im)
    }
  ],
  [
    'script by the sandbox page',
    async app => {
      const path = `/sandbox?user=${encodeURIComponent('"><script>alert(1)</script>')}`
      const { status, text } = await app.ask(path, { headers: basic(`:${ADMIN_TOKEN}`) })
      assert.equal(status, 200)
      assert.ok(!text.includes('<script>alert(1)'))
    }
  ]
]

const POLLUTED = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
const notPolluted =
  (attack: Attack[1]): Attack[1] =>
  async app => {
    await attack(app)
    assert.equal((Object.prototype as Record<string, unknown>)['polluted'], undefined)
  }
const tries = (path: string, asked: Asked): Attack[1] =>
  notPolluted(async app => {
    const { status, text } = await app.ask(path, asked)
    assert.ok(status < 500, text)
  })

export const pollution: readonly Attack[] = [
  ['the body of a send', tries(`/${CLIENT}/sender`, post(POLLUTED))],
  [
    'parameters of a send',
    tries(
      `/${CLIENT}/sender`,
      post(`{"to":{"id":"p"},"type":"news","inapp":{"title":"{{ polluted }}"},"parameters":${POLLUTED}}`)
    )
  ],
  [
    'options of a send',
    tries(
      `/${CLIENT}/sender`,
      post(`{"to":{"id":"p"},"type":"news","inapp":{"title":"x"},"options":${POLLUTED}}`)
    )
  ],
  [
    'properties of a user',
    tries(`/${CLIENT}/users/${ATTACKER}`, post(`{"properties":${POLLUTED}}`, asUser(ATTACKER)))
  ],
  [
    'settings of an environment',
    tries(`/environments/${OTHER}`, {
      ...post(`{"defaults":${POLLUTED}}`, { authorization: `Bearer ${ADMIN_TOKEN}` }),
      method: 'PATCH'
    })
  ],
  [
    'preferences',
    tries(
      `/${CLIENT}/users/${ATTACKER}/preferences`,
      post('[{"notificationId":"__proto__","channel":"EMAIL","delivery":"off"}]', asUser(ATTACKER))
    )
  ],
  ['a user id', tries(`/${CLIENT}/users/__proto__`, post('{"properties":{"polluted":"1"}}'))],
  [
    'a query',
    tries(`/${CLIENT}/users?__proto__[polluted]=1&constructor[prototype][polluted]=1`, { headers: asBackEnd })
  ],
  [
    'an inherited member in a template',
    notPolluted(async app => {
      const { text } = await app.ask(
        `/${CLIENT}/simulate`,
        post({
          render: true,
          send: {
            inapp: { title: '[{{ constructor.name }}{{ name.constructor }}{{ name.__proto__ }}]' },
            parameters: { name: 'x' },
            to: { id: 'p' },
            type: 'news'
          }
        })
      )
      assert.ok(!/\[native code\]|"\[Object|\[Function/.test(text), text)
    })
  ]
]
