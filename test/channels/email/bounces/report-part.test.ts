// Finds the machine-readable part of a bounce exactly where a complete MIME parser finds it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import PostalMime from 'postal-mime'

import { findStatusPart } from '../../../../server/channels/email/bounces/report-part.ts'
import { random, type Random } from '../../../support/random.ts'
import { AMAZON, EXIM, SENDMAIL } from './more-reports.ts'
import { EXCHANGE, GMAIL, POSTFIX } from './reports.ts'

const inOneForm = (text: string | undefined): string | undefined => text?.replace(/\r\n/g, '\n').trim()

async function parsed(raw: Buffer): Promise<string | undefined> {
  const { attachments, headers } = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (!/^multipart\/report\b/i.test(type)) return undefined
  const part = attachments.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/.test(mimeType))
  return part && String(part.content)
}

const STATUS = [
  'Reporting-MTA: dns; mx.example.net',
  '',
  'Final-Recipient: rfc822; amara@example.org',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 Postfächer = 0, a line that is as long as a mailer must fold, =20'
]
const QUOTED = STATUS.join('\r\n')
  .replace(/=/g, '=3D')
  .replace('ä', '=C3=A4')
  .replace('as long', 'as =\r\nlong')
const WORDS = ['It could not be delivered.', '', '--', '-- B', '--another']

/** A report with choices that mail servers may make, or make although the RFC forbids them. */
function written(pick: Random): Buffer {
  const one = <T>(...all: readonly T[]): T => all[pick(all.length)]!
  const named = (name: string): string =>
    one(name, name, name.toLowerCase(), name.toUpperCase()) + one(':', ': ', ':\t', ' : ')
  const boundary = one('B', 'b_1', '=_mx/1.2:3', "'B'", '----=_Part_1', 'a b')
  const inner = boundary + one('2', '_alt', 'B', '-', ' x')
  const border = (name = boundary): string => `--${name}${one('', '', ' ', '\t ')}`
  const quoted = /[ =/:]/.test(boundary) ? `"${boundary}"` : one(boundary, `"${boundary}"`)
  const gap = one(' ', '', '\r\n ', '\r\n\t')
  const params = one(
    `;${gap}report-type=delivery-status;${gap}boundary=${quoted}`,
    `;${gap}Boundary = ${quoted} ;${gap}report-type="delivery-status"`,
    `;${gap}boundary=${quoted} (of this mail)`,
    `; charset=utf-8;boundary=${quoted}; boundary=other`,
    boundary === 'a b' ? '; boundary=a b; report-type=delivery-status' : `; boundary=${quoted};`
  )
  const fake = ['Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; fake', '']
  const [encoding, body] = one(
    ['', STATUS],
    ['7bit', STATUS],
    [
      'base64',
      Buffer.from(QUOTED)
        .toString('base64')
        .match(/.{1,76}/g)!
    ],
    ['Base64 (of course)', [Buffer.from(STATUS.join('\n')).toString('base64')]],
    ['quoted-printable', QUOTED.split('\r\n')],
    ['"quoted-printable"', QUOTED.split('\r\n')]
  )
  const alternative = [
    `Content-Type: multipart/alternative; boundary="${inner}"`,
    '',
    border(inner),
    'Content-Type: text/plain',
    '',
    ...WORDS,
    border(inner),
    ...one(['', 'words'], ['Content-Type: text/html', '', '<p>words</p>']),
    ...one([`--${inner}--`, ''], [])
  ]
  const kind = `message/${one('', 'global-')}delivery-status`
  const type = `${named('Content-Type')}${one(kind, kind, kind.toUpperCase())}${one('', '; charset=utf-8', ' ; name=x', ' (x)')}`
  const status = [
    ...one([], ['Content-Description: Delivery report']),
    type,
    ...(encoding === '' ? [] : [named('Content-Transfer-Encoding') + encoding]),
    '',
    ...body
  ]
  const part = (lines: readonly string[]): readonly string[] => [border(), ...lines, ...one([], [''])]
  const textPart = one(['', ...WORDS], ['Content-Type: text/plain', '', ...WORDS], alternative, [
    'Content-Type: message/delivery-status-of-another-kind',
    '',
    'x'
  ])
  const lines = [
    'From: mailer-daemon@example.net',
    `${named('Content-Type')}multipart/${one('report', 'Report', 'report', 'report', 'mixed')}${params}`,
    'Subject: Undelivered',
    ...one([''], ['', 'This is a MIME message.', ''], ['', `--${inner}`, ...fake]),
    ...one(part(textPart), part(textPart), []),
    ...one(part(status), part(status), part(status), []),
    ...part(one(['Content-Type: message/rfc822', '', 'Subject: Hello', '', 'Hello'], ['', 'Hello'])),
    ...one([`${border()}--`, ''], [`--${boundary}--`, ''], []),
    ...one([], ['', border(inner), ...fake], ['', ...fake])
  ]
  return Buffer.from(lines.join(one('\r\n', '\n')))
}

test('finds the same part as a complete MIME parser in a thousand reports', async () => {
  let found = 0
  for (let seed = 0; seed < 1000; seed += 1) {
    const raw = written(random(seed))
    const own = inOneForm(findStatusPart(raw))
    assert.equal(own, inOneForm(await parsed(raw)), `seed ${seed}:\n${raw.toString()}`)
    if (own !== undefined) found += 1
  }
  assert.ok(found > 400, `${found} had one`)
})

for (const [name, text] of Object.entries({ AMAZON, EXCHANGE, EXIM, GMAIL, POSTFIX, SENDMAIL })) {
  test(`finds the part in a report of ${name}, with either line end`, async () => {
    for (const raw of [Buffer.from(text), Buffer.from(text.replaceAll('\r\n', '\n'))]) {
      assert.match(String(findStatusPart(raw)), /^Final-Recipient:/im)
      assert.equal(inOneForm(findStatusPart(raw)), inOneForm(await parsed(raw)))
    }
  })
}
