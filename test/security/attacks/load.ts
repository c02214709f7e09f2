// Attacks by size and form: large, deep, slow and ambiguous requests.

import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'

import { asBackEnd, asUser, CLIENT, contents, type Asked } from '../app.ts'
import { ATTACKER, post, quick, refused, sendBytes, sendTo, VICTIM, type Attack } from './attempt.ts'

const statusLines = (text: string): number => text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0

/** The second request, hidden in the body of the first one for one of two servers, is never answered. */
const smuggled =
  (head: string, body: string): Attack[1] =>
  async app => {
    const before = await contents(app)
    const text = await sendBytes(app, `POST /${CLIENT}/sender HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`)
    assert.match(text, /^HTTP\/1\.1 4\d\d /, text.slice(0, 200))
    assert.equal(statusLines(text), 1, text)
    assert.deepEqual(await contents(app), before)
  }
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

export const smuggling: readonly Attack[] = [
  [
    'Content-Length and Transfer-Encoding',
    smuggled('Content-Length: 6\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`)
  ],
  [
    'Transfer-Encoding and Content-Length',
    smuggled('Transfer-Encoding: chunked\r\nContent-Length: 6', `0\r\n\r\n${HIDDEN}`)
  ],
  ['two lengths', smuggled('Content-Length: 0\r\nContent-Length: 40', HIDDEN)],
  ['a list of lengths', smuggled('Content-Length: 0, 40', HIDDEN)],
  ['a signed length', smuggled('Content-Length: +40', HIDDEN)],
  ['an unknown encoding', smuggled('Transfer-Encoding: xchunked', `0\r\n\r\n${HIDDEN}`)],
  ['an encoding after chunked', smuggled('Transfer-Encoding: chunked, identity', `0\r\n\r\n${HIDDEN}`)],
  ['a space before the colon', smuggled('Transfer-Encoding : chunked', `0\r\n\r\n${HIDDEN}`)],
  ['a folded line', smuggled('X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 1x', HIDDEN)],
  ['a chunk size that is no number', smuggled('Transfer-Encoding: chunked', `0x0\r\n\r\n${HIDDEN}`)],
  [
    'a line that ends with a carriage return',
    smuggled('X: a\rTransfer-Encoding: chunked\r\nContent-Length: 1x', HIDDEN)
  ]
]

export const exhaustion: readonly Attack[] = [
  [
    'a compressed bomb',
    refused(
      `/${CLIENT}/sender`,
      {
        body: gzipSync(Buffer.alloc(50_000_000, 0x20)),
        headers: { ...asBackEnd, 'content-encoding': 'gzip' },
        method: 'POST'
      },
      [413, 415, 400]
    )
  ],
  ['a page of a billion rows', refused(`/${CLIENT}/users?count=1000000000`, { headers: asBackEnd }, [422])],
  [
    'a negative page',
    refused(`/${CLIENT}/users/${VICTIM}/inbox?count=-1`, { headers: asUser(VICTIM) }, [422])
  ],
  [
    'headers of a megabyte',
    async app => {
      const text = await sendBytes(
        app,
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n`
      )
      assert.match(text, /^(HTTP\/1\.1 431 |$)/)
    }
  ],
  [
    'ten thousand headers',
    async app => {
      const text = await sendBytes(app, `GET /healthz HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(10_000)}\r\n`)
      assert.match(text, /^(HTTP\/1\.1 4|$)/)
    }
  ],
  [
    'a path of a megabyte',
    async app => {
      const text = await sendBytes(app, `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.match(text, /^(HTTP\/1\.1 4|$)/)
    }
  ],
  [
    'a thousand ranges of a file',
    async app => {
      const ranges = Array.from({ length: 1000 }, (_, i) => `${i}-`).join()
      const answer = await app.ask('/notif.js', { headers: { range: `bytes=${ranges}` } })
      assert.ok(answer.text.length < 100_000)
    }
  ],
  [
    'a size that is never sent',
    refused(
      `/${CLIENT}/sender`,
      { headers: { ...asBackEnd, 'content-length': '99999999999' }, method: 'POST' },
      [413]
    )
  ]
]

const emailTo = (email: string): Asked => post({ email }, asUser(ATTACKER))

export const slowTexts: readonly Attack[] = [
  ['an email address of dots', quick(`/${CLIENT}/users/${ATTACKER}`, emailTo(`${'a.'.repeat(50_000)}@`))],
  ['an email address of at signs', quick(`/${CLIENT}/users/${ATTACKER}`, emailTo('@'.repeat(100_000)))],
  [
    'a mailbox of quotes',
    quick(
      `/${CLIENT}/sender`,
      sendTo({ options: { email: { ccAddresses: [`"${'\\"'.repeat(50_000)}<a@b.c`] } } })
    )
  ],
  [
    'a phone number of separators',
    quick(`/${CLIENT}/users/${ATTACKER}`, post({ number: `+1${'-( '.repeat(50_000)}` }, asUser(ATTACKER)))
  ],
  [
    'a language of dashes',
    quick(`/${CLIENT}/users/${ATTACKER}`, post({ locale: 'a-'.repeat(50_000) }, asUser(ATTACKER)))
  ],
  ['a log query of brackets', quick(`/${CLIENT}/logs/query`, post({ customFilter: '('.repeat(50_000) }))],
  [
    'a log query of wildcards',
    quick(`/${CLIENT}/logs/query`, post({ customFilter: `body.type = "${'*a'.repeat(200)}*b"` }))
  ],
  [
    'a log query of nested conditions',
    quick(
      `/${CLIENT}/logs/query`,
      post({ customFilter: `${'not ('.repeat(5_000)}body.type = "x"${')'.repeat(5_000)}` })
    )
  ],
  ['a cursor of dots', quick(`/${CLIENT}/users?cursor=${'.'.repeat(8_000)}`, { headers: asBackEnd })],
  [
    'credentials of spaces',
    quick(`/${CLIENT}/users`, { headers: { authorization: `Basic ${' '.repeat(8_000)}!` } })
  ],
  [
    'an If-None-Match of commas',
    quick('/notif.js', { headers: { 'if-none-match': `${'"a",'.repeat(3_000)}` } })
  ],
  [
    'encodings of semicolons',
    quick('/notif.js', { headers: { 'accept-encoding': `${'gzip;q=1,'.repeat(1_500)}` } })
  ],
  [
    'a template of open braces',
    quick(
      `/${CLIENT}/simulate`,
      post({ render: true, send: { inapp: { title: '{{'.repeat(50_000) }, to: { id: 'p' }, type: 'news' } }),
      3_000
    )
  ],
  [
    'HTML of open tags',
    quick(
      `/${CLIENT}/simulate`,
      post({
        render: true,
        send: {
          email: { html: '<a '.repeat(30_000), subject: 'x' },
          to: { email: 'a@example.com', id: 'p' },
          type: 'news'
        }
      }),
      5_000
    )
  ]
]

export const jsonBombs: readonly Attack[] = [
  ['a list in a list, 100,000 times', quick(`/${CLIENT}/sender`, post('['.repeat(100_000)))],
  ['an object in an object, 100,000 times', quick(`/${CLIENT}/sender`, post('{"a":'.repeat(100_000)))],
  [
    '100,000 members',
    quick(`/${CLIENT}/sender`, post(`{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`).join()}}`))
  ],
  ['a number of 100,000 digits', quick(`/${CLIENT}/sender`, post(`{"to":{"id":${'9'.repeat(100_000)}}}`))],
  [
    'an exponent of 100,000',
    quick(`/${CLIENT}/sender`, post('{"parameters":{"a":1e100000},"to":{"id":"p"},"type":"news"}'))
  ],
  [
    'a text of escapes',
    quick(`/${CLIENT}/sender`, post(`{"type":"${'\\u0000'.repeat(50_000)}","to":{"id":"p"}}`))
  ],
  [
    'half of a surrogate pair',
    refused(`/${CLIENT}/sender`, post('{"type":"\\ud800","to":{"id":"p"}}'), [422])
  ],
  ['the same member twice', quick(`/${CLIENT}/sender`, post('{"to":{"id":"a"},"to":{"id":"b"}}'))]
]
