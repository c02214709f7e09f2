// The content of a digest: by its own template, by one that reads the items, or by each item separately.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Channel } from '#protocol'

import type { Delivery } from '../../../server/channels/channel.ts'
import { renderContent } from '../../../server/channels/content.ts'
import { readConfig } from '../../../server/config/config.ts'
import { composeDigest } from '../../../server/send/digest/compose-send.ts'
import type { DigestPart } from '../../../server/send/digest/digest.ts'
import { mergeFields } from '../../../server/send/digest/merge-notifications.ts'
import type { TemplateContent } from '../../../server/types/templates/content.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { typeSettings, type NotificationType, type Types } from '../../../server/types/type.ts'

const typeWith = (templates: Readonly<Record<string, TemplateContent>>): NotificationType => ({
  channels: ['EMAIL'],
  id: 't',
  settings: typeSettings.parse({}),
  subs: new Map(),
  templates: new Map<Channel, Map<string, TemplateContent>>([['EMAIL', new Map(Object.entries(templates))]]),
  title: 't'
})

const part = (n: number, more: Partial<DigestPart> = {}): DigestPart => ({
  send: { parameters: { n }, to: { id: 'u' }, type: 't' },
  template: '',
  ...more
})

const PLAIN = { html: '<p>{{ n }}</p>', subject: 'No {{ n }}' }
const LIST = {
  html: '<ul>{% for one in _items %}<li>{{ one.n }}</li>{% endfor %}</ul>',
  subject: '{{ _items.size }}, last {{ n }}'
}

async function renderDigest(type: NotificationType, parts: readonly DigestPart[]) {
  const read = readConfig({})
  assert.ok('config' in read)
  const renderer = createRenderer(read.config)
  const { items, send, template } = composeDigest('EMAIL', parts, type)
  const delivery = {
    body: { notificationId: 't', template, to: 'a@b.example', ...(items && { items }) },
    envId: 'e',
    send
  } as unknown as Delivery
  const types = { get: async () => type } as Pick<Types, 'get'> as Types
  const content = await renderContent({ renderer, types }, 'EMAIL', delivery)
  await renderer.close()
  assert.ok(content.ok, JSON.stringify(content))
  return content.fields
}

const THREE = [part(1), part(2), part(3)]

test('uses the digest template, or a template that reads _items', async () => {
  const list = { html: '<ul><li>1</li><li>2</li><li>3</li></ul>', subject: '3, last 3' }
  assert.deepEqual(await renderDigest(typeWith({ '': PLAIN, digest: LIST }), THREE), list)
  assert.deepEqual(await renderDigest(typeWith({ '': LIST }), THREE), list)
})

test('renders each item separately with any other template', async () => {
  assert.deepEqual(await renderDigest(typeWith({ '': PLAIN }), THREE), {
    html: '<p>1</p>\n<hr>\n<p>2</p>\n<hr>\n<p>3</p>',
    subject: 'No 3 (+2)'
  })
  assert.deepEqual(await renderDigest(typeWith({ '': PLAIN }), [part(7)]), {
    html: '<p>7</p>',
    subject: 'No 7'
  })
})

test('keeps the content of sends', async () => {
  const own = (text: string): DigestPart => ({
    send: { email: { subject: text, text: `a < ${text}` }, to: { id: 'u' }, type: 't' },
    template: null
  })
  assert.deepEqual(await renderDigest(typeWith({ '': PLAIN }), [own('x'), part(2)]), {
    html: '<p style="white-space:pre-line">a &lt; x</p>\n<hr>\n<p>2</p>',
    subject: 'No 2 (+1)'
  })
  assert.deepEqual(await renderDigest(typeWith({}), [own('x'), own('y')]), {
    subject: 'y (+1)',
    text: 'a < x\n\na < y'
  })
})

test('joins the bodies of whole documents', () => {
  const page = (text: string) => ({
    html: `<!doctype html><html><head><style>p{}</style></head><body class="x">${text}</body></html>`,
    subject: text
  })
  assert.equal(mergeFields('EMAIL', [page('a'), page('b')])['html'], 'a\n<hr>\nb')
})

test('joins texts and keeps the links of the newest', () => {
  assert.deepEqual(
    mergeFields('WEB_PUSH', [
      { message: 'a', title: 'A', url: 'https://a.example' },
      { message: 'b', title: 'B' }
    ]),
    { message: 'a\n\nb', title: 'B (+1)' }
  )
  assert.deepEqual(mergeFields('SMS', [{ from: 'X', message: 'a' }, { message: 'b' }]), { message: 'a\n\nb' })
})
