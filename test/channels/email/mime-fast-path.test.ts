// A mail in one piece has the same bytes as the mail library makes of it in many.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { asyncProperty, constantFrom, option, record, string } from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime from 'postal-mime'

import { composeInMemory } from '../../../server/channels/email/mime-fast-path.ts'
import { checkProperty } from '../../support/generated.ts'

/** Whatever a line can begin or end with, in any script. */
const words = string({
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

/** The library breaks the last line elsewhere where it ends in spaces; a reader joins it again. */
const joined = (bytes: Buffer): string => String(bytes).replaceAll('=\r\n', '')

test('the same bytes, whatever a mail says', async () => {
  const mails = record({ html: option(words), name: line, subject: line, text: words })
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
      // An empty text has no content at all.
      if (whole || text !== '') assert.equal(joined(whole!), joined(await message.build()))
    })
  )
})

test('a long mail says the same, wherever its lines end', async () => {
  const html = '<p>Grüße vom Hafen, und =3D bleibt.</p>\n'.repeat(5000)
  const text = '漢字 and words, '.repeat(20_000)
  const message = new MailComposer({ html, subject: 'Long', text }).compile()
  const mail = await PostalMime.parse(composeInMemory(message)!)
  assert.deepEqual([mail.html?.trimEnd(), mail.text?.trimEnd()], [html.trimEnd(), text.trimEnd()])
  assert.ok(!/[^\r\n]{999}/.test(String(composeInMemory(message))), 'no line is too long for a mail server')
})

test('a mail with files is left to the library', () => {
  const attachments = [{ content: 'aGk=', encoding: 'base64', filename: 'a.txt' }]
  assert.equal(composeInMemory(new MailComposer({ attachments, text: 'x' }).compile()), undefined)
})
