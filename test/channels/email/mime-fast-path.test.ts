// An email that is composed in memory has the same bytes as nodemailer composes.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { asyncProperty, constantFrom, option, record, string } from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime from 'postal-mime'

import { composeInMemory } from '../../../server/channels/email/mime-fast-path.ts'
import { checkProperty } from '../../support/generated.ts'

/** Characters with which a line can begin or end, in any script. */
const texts = string({
  maxLength: 300,
  unit: constantFrom(
    '.',
    '=',
    ' ',
    '\t',
    '\n',
    '\r\n',
    'a',
    'plan ',
    'ä',
    '漢',
    '👩‍🚀',
    '<p>',
    'x'.repeat(80),
    '--'
  )
})
const line = string({ maxLength: 90, unit: constantFrom('a', ' ', 'é', '字', ',', '"', '@', '=?') })

/** nodemailer breaks a last line with trailing spaces at another place; a reader joins the lines. */
const joined = (bytes: Buffer): string => String(bytes).replaceAll('=\r\n', '')

test('composes the same bytes as nodemailer', async () => {
  const mails = record({ html: option(texts), name: line, subject: line, text: texts })
  await checkProperty(
    asyncProperty(mails, async ({ html, name, subject, text }) => {
      const message = new MailComposer({
        from: { address: 'us@company.test', name },
        headers: { 'List-Unsubscribe': `<https://n.example/unsubscribe/${'A'.repeat(200)}>` },
        subject,
        text,
        to: { address: 'you@x.test', name: '' },
        ...(html !== null && { html })
      }).compile()
      const whole = composeInMemory(message)
      // An empty text has no part.
      if (whole || text !== '') assert.equal(joined(whole!), joined(await message.build()))
    })
  )
})

test('composes the same bytes for a long email with any line ends', async () => {
  const html = '<p>Grüße vom Hafen, und =3D bleibt.</p>\n'.repeat(5000)
  const text = '漢字 and words, '.repeat(20_000)
  const message = new MailComposer({ html, subject: 'Long', text }).compile()
  const mail = await PostalMime.parse(composeInMemory(message)!)
  assert.deepEqual([mail.html?.trimEnd(), mail.text?.trimEnd()], [html.trimEnd(), text.trimEnd()])
  assert.ok(!/[^\r\n]{999}/.test(String(composeInMemory(message))), 'no line is too long for a mail server')
})

test('leaves an email with files to nodemailer', () => {
  const attachments = [{ content: 'aGk=', encoding: 'base64', filename: 'a.txt' }]
  assert.equal(composeInMemory(new MailComposer({ attachments, text: 'x' }).compile()), undefined)
})
