// Attacks on data of others: other users, other environments, other sites, caches and repeated requests.

import assert from 'node:assert/strict'

import { ADMIN_TOKEN, asBackEnd, asUser, basic, CLIENT, hashOf, OTHER, OTHER_SECRET, SECRET } from '../app.ts'
import { asOther, ATTACKER, refused, sendTo, VICTIM, type Attack, post } from './attempt.ts'

export const authorisation: readonly Attack[] = [
  ...(
    [
      ['the inbox of another user', `/${CLIENT}/users/${VICTIM}/inbox`, asUser(ATTACKER)],
      [
        'the inbox with the hash of another id',
        `/${CLIENT}/users/${VICTIM}/inbox`,
        basic(`${CLIENT}:${VICTIM}:${hashOf(ATTACKER)}`)
      ],
      [
        'the inbox with the secret as the hash',
        `/${CLIENT}/users/${VICTIM}/inbox`,
        basic(`${CLIENT}:${VICTIM}:${SECRET}`)
      ],
      ['the inbox without a hash', `/${CLIENT}/users/${VICTIM}/inbox`, basic(`${CLIENT}:${VICTIM}`)],
      [
        'a path that leaves the own user',
        `/${CLIENT}/users/${ATTACKER}/../${VICTIM}/inbox`,
        asUser(ATTACKER)
      ],
      [
        'an encoded path that leaves the own user',
        `/${CLIENT}/users/${ATTACKER}%2F..%2F${VICTIM}/inbox`,
        asUser(ATTACKER)
      ],
      ['the log as a user', `/${CLIENT}/logs/query`, asUser(ATTACKER)],
      ['the export of the own data as a user', `/${CLIENT}/users/${ATTACKER}/export`, asUser(ATTACKER)],
      ['the users of another environment', `/${CLIENT}/users`, asOther],
      ['a user of another environment', `/${CLIENT}/users/${VICTIM}`, asOther],
      ['an environment as its back end', `/environments/${CLIENT}`, asBackEnd],
      [
        'an environment with the secret as the token',
        `/environments/${CLIENT}`,
        { authorization: `Bearer ${SECRET}` }
      ],
      [
        'a hash of another secret',
        `/${CLIENT}/users/${VICTIM}/inbox`,
        basic(`${CLIENT}:${VICTIM}:${hashOf(VICTIM, OTHER_SECRET)}`)
      ],
      ['the admin token as a password', `/${CLIENT}/users`, basic(`${CLIENT}:${ADMIN_TOKEN}`)],
      ['the client id in capitals', `/${CLIENT.toUpperCase()}/users`, asBackEnd]
    ] as const
  ).map(([name, path, headers]): Attack => [`reads ${name}`, refused(path, { headers }, [401, 404, 405])]),
  ['sends as a user', refused(`/${CLIENT}/sender`, sendTo({}, asUser(ATTACKER)), [401])],
  ['sends into another environment', refused(`/${CLIENT}/sender`, sendTo({}, asOther), [401])],
  [
    'another method by a header',
    refused(
      `/${CLIENT}/users/${VICTIM}`,
      { headers: { ...asUser(ATTACKER), 'x-http-method-override': 'DELETE' }, method: 'POST' },
      [401]
    )
  ],
  [
    'erases a user as that user',
    refused(`/${CLIENT}/users/${ATTACKER}`, { headers: asUser(ATTACKER), method: 'DELETE' }, [401])
  ],
  [
    'marks all notifications of another user',
    refused(
      `/${CLIENT}/users/${VICTIM}/notifications/INAPP_WEB`,
      { ...post({ archived: true, trackingIds: 'ALL' }, asUser(ATTACKER)), method: 'PATCH' },
      [401]
    )
  ],
  [
    'an internal address by a header',
    refused(
      '/healthz',
      { headers: { 'x-original-url': `/${CLIENT}/users`, 'x-rewrite-url': `/${CLIENT}/users` } },
      [200],
      ({ text }) => assert.doesNotMatch(text, /victim/)
    )
  ]
]

export const csrf: readonly Attack[] = [
  [
    'a form of another site without credentials',
    refused(
      `/${CLIENT}/sender`,
      {
        body: 'a=b',
        headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
        method: 'POST'
      },
      [401]
    )
  ],
  [
    'a page of another site may not read an answer',
    refused(
      `/${CLIENT}/users/${VICTIM}/inbox`,
      { headers: { ...asUser(VICTIM), origin: 'https://evil.example' } },
      [200, 403],
      ({ headers }) => assert.equal(headers['access-control-allow-origin'], undefined)
    )
  ],
  [
    'a page with the origin null',
    refused(
      `/${CLIENT}/users/${VICTIM}/inbox`,
      { headers: { ...asUser(VICTIM), origin: 'null' } },
      [200, 403],
      ({ headers }) => assert.equal(headers['access-control-allow-origin'], undefined)
    )
  ],
  [
    'an origin that begins like an allowed one',
    refused(
      `/${CLIENT}/users/${VICTIM}/inbox`,
      { headers: { ...asUser(VICTIM), origin: 'https://a.example.evil.example' } },
      [200, 403],
      ({ headers }) => assert.equal(headers['access-control-allow-origin'], undefined)
    )
  ],
  [
    'cookies',
    refused(
      `/${CLIENT}/users/${VICTIM}/inbox`,
      { headers: { ...asUser(VICTIM), origin: 'https://a.example' } },
      [200],
      ({ headers }) =>
        assert.deepEqual(
          [headers['set-cookie'], headers['access-control-allow-credentials']],
          [undefined, undefined]
        )
    )
  ],
  ['a scanner that opens a link changes nothing', refused('/unsubscribe/AAAA', {}, [404, 400, 401, 403])]
]

export const caching: readonly Attack[] = [
  ...(['x-forwarded-host', 'x-host', 'x-forwarded-server', 'forwarded', 'host'] as const).map(
    (header): Attack => [
      `the address of pages by ${header}`,
      async app => {
        for (const path of ['/notif.json', '/docs', '/openapi.json', '/problems']) {
          const { text } = await app.ask(path, {
            headers: { [header]: header === 'forwarded' ? 'host=evil.example' : 'evil.example' }
          })
          assert.ok(!text.includes('evil.example'), path)
        }
      }
    ]
  ),
  [
    'answers of users are stored nowhere',
    refused(`/${CLIENT}/users/${VICTIM}/inbox`, { headers: asUser(VICTIM) }, [200], ({ headers }) =>
      assert.match(String(headers['cache-control']), /no-store|private/)
    )
  ],
  [
    'the ETag of another user',
    async app => {
      const { headers } = await app.ask(`/${CLIENT}/users/${VICTIM}/inbox`, { headers: asUser(VICTIM) })
      const etag = String(headers['etag'] ?? '*')
      const answer = await app.ask(`/${CLIENT}/users/${ATTACKER}/inbox`, {
        headers: { ...asUser(ATTACKER), 'if-none-match': etag }
      })
      assert.notEqual(answer.text.includes('Secret of the victim'), true)
    }
  ],
  [
    'an inbox that looks like a file',
    refused(`/${CLIENT}/users/${VICTIM}/inbox/x.css`, { headers: asUser(VICTIM) }, [405], ({ headers }) =>
      assert.match(String(headers['cache-control']), /no-store/)
    )
  ],
  [
    'an error is not stored',
    refused('/no-such-address.js', {}, [404], ({ headers }) =>
      assert.match(String(headers['cache-control']), /no-store/)
    )
  ]
]

export const replay: readonly Attack[] = [
  [
    'the idempotency key of another environment',
    async app => {
      const key = { 'idempotency-key': 'same-key-of-two' }
      const first = await app.ask(
        `/${CLIENT}/sender`,
        sendTo({ inapp: { title: 'A' } }, { ...asBackEnd, ...key })
      )
      const second = await app.ask(
        `/${OTHER}/sender`,
        sendTo({ inapp: { title: 'A' } }, { ...asOther, ...key })
      )
      assert.notEqual(first.json['trackingId'], second.json['trackingId'])
    }
  ],
  [
    'an idempotency key with another body',
    async app => {
      const key = { ...asBackEnd, 'idempotency-key': 'a-key-with-two-bodies' }
      assert.equal((await app.ask(`/${CLIENT}/sender`, sendTo({ inapp: { title: 'A' } }, key))).status, 200)
      assert.equal((await app.ask(`/${CLIENT}/sender`, sendTo({ inapp: { title: 'B' } }, key))).status, 422)
    }
  ],
  ['a link token of another purpose', refused('/preferences/AAAA', {}, [404, 400, 401, 403])],
  [
    'an unsubscribe token that was changed',
    refused('/unsubscribe/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', { method: 'POST' }, [404, 400, 401, 403])
  ]
]
