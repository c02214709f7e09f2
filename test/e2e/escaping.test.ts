// Values of users in every place of a message, read by real parsers: HTML and XML by the browser, header lines by the rule of email
// programs, and titles by Liquid with innerHTML, as existing clients show them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import type { Channel } from '#protocol'

import { toSpeechXml } from '../../server/channels/sms-call/phone-provider.ts'
import { toLegacyNotification } from '../../server/inbox/legacy-notification.ts'
import { composeEmail } from '../../server/types/templates/email.ts'
import { createRenderer, type RenderInput } from '../../server/types/templates/render.ts'
import { random } from '../support/random.ts'
import { openBrowser } from './site.ts'

const ATTACKS = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<svg/onload=hit()>',
  '"><script>hit()</script>',
  "' onmouseover='hit()",
  '" autofocus onfocus="hit()',
  '</title></style></textarea><iframe srcdoc="<script>hit()</script>">',
  '<!--><script>hit()</script>-->',
  ']]><x/>',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '&amp;lt;b&amp;gt; & &#60;b&#62; &copy &#0; &notit;',
  '{{ 7 | times: 7 }}{% for i in (1..9) %}{{ i }}{% endfor %}',
  '{{{{ x }}}} {%{% raw %} {# } %}',
  '{{ constructor.constructor }}',
  '<Play>https://evil.example</Play><Dial>+15005550006</Dial>',
  'javascript:hit()',
  'Hello\u202e]\u2066 world',
  'a\tb',
  '+-=`~!@$%^*()_|\\;:,./?'
]

const MAKERS = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '`',
  '{',
  '}',
  '%',
  '{{',
  '%}',
  '#',
  ';',
  '=',
  '/',
  'lt',
  'x',
  ' ',
  'é',
  '😀'
]

/** The list above, and generated texts. */
const next = random()
const WORDS = [
  ...ATTACKS,
  ...Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + next(24) }, () => MAKERS[next(MAKERS.length)]).join('')
  )
]

const renderer = createRenderer({ renderTimeoutMs: 200 })
let browser: Browser
let page: Page

before(async () => {
  browser = await openBrowser()
  page = await browser.newPage()
  await page.setContent('<!doctype html><title>t</title>')
  await page.evaluate('window.hits = 0; window.hit = () => { window.hits += 1 }')
  const liquid = createRequire(import.meta.url).resolve('liquidjs/dist/liquid.browser.min.js')
  await page.addScriptTag({ content: readFileSync(liquid, 'utf8') })
})
after(async () => {
  await browser.close()
  await renderer.close()
})

async function rendered(channel: Channel, content: RenderInput['content'], data: object, replace = {}) {
  const done = await renderer.render({ channel, content, data: { ...data }, envId: 'e', replace })
  assert.ok(done.ok, JSON.stringify(done))
  return done.fields
}

const seed = `TEST_SEED=${next.seed}`
/** Trees before and after must have the same shape, so that no word became an element or an attribute. */
const shapeOf = (html: readonly string[]): Promise<{ text: string; title: string; shape: string }[]> =>
  page.evaluate(
    texts =>
      texts.map(text => {
        const tree = new DOMParser().parseFromString(text, 'text/html')
        const shape = [...tree.querySelectorAll('*')].map(
          one => `${one.tagName} ${one.getAttributeNames().join()}`
        )
        return {
          shape: shape.join('\n'),
          text: tree.querySelector('p')?.textContent ?? '',
          title: tree.querySelector('p')?.getAttribute('title') ?? ''
        }
      }),
    html
  )

describe('values of users stay text', () => {
  test('in the HTML of an email: as text, in an attribute, and as a replacement', async () => {
    const html = '<p title="{{ word }}">{{ word }}</p>{% if word %}<p class="second">OTHER</p>{% endif %}'
    const documents: string[] = []
    for (const word of WORDS) {
      const fields = await rendered('EMAIL', { html, subject: 'x' }, { word }, { OTHER: word })
      documents.push(composeEmail(fields).html!)
    }
    const plain = composeEmail(await rendered('EMAIL', { html, subject: 'x' }, { word: 'x' })).html!
    const [expected, ...shapes] = await shapeOf([plain, ...documents])
    for (const [i, { shape, text, title }] of shapes.entries()) {
      assert.equal(shape, expected!.shape, `${WORDS[i]} ${seed}`)
      assert.equal(text, WORDS[i], seed)
      assert.equal(title, WORDS[i], seed)
    }
  })

  test('in the preview line of an email', async () => {
    const documents: string[] = []
    for (const word of WORDS.filter(word => word.trim() !== '')) {
      const content = { html: '<p>x</p>', previewText: '{{ word }}', subject: 'x' }
      documents.push(composeEmail(await rendered('EMAIL', content, { word })).html!)
    }
    const shapes = await shapeOf(documents)
    for (const { shape } of shapes) assert.equal(shape, shapes[0]!.shape, seed)
  })

  test('in links of an email: a click runs no script', async () => {
    const ADDRESSES = [
      'javascript:hit()',
      'JaVaScRiPt:hit()',
      'java\tscript:hit()',
      '\u0001javascript:hit()',
      ' javascript:hit()',
      'javascript&colon;hit()',
      'data:text/html,<script>hit()</script>',
      'vbscript:hit()',
      '"><script>hit()</script>',
      "'><script>hit()</script>"
    ]
    const texts: string[] = []
    for (const word of ADDRESSES) {
      for (const html of [
        '<a href="{{ word }}">x</a>',
        "<a/href='{{ word }}'>x</a>",
        '<a title=""href={{ word }}>x</a>'
      ]) {
        texts.push(composeEmail(await rendered('EMAIL', { html, subject: 'x' }, { word })).html!)
      }
    }
    const protocols = await page.evaluate(
      documents =>
        documents.flatMap(text => {
          const tree = new DOMParser().parseFromString(text, 'text/html')
          return [...tree.querySelectorAll('a')].map(
            link => new URL(link.href, 'https://site.invalid').protocol
          )
        }),
      texts
    )
    assert.equal(protocols.length, texts.length)
    assert.deepEqual(
      [...new Set(protocols)].filter(one => one !== 'https:' && one !== 'about:'),
      []
    )
  })

  test('in a line that becomes a header', async () => {
    for (const word of [...WORDS, 'x\r\nBcc: evil@example.com', 'x\nX: y', 'x\u2028y', 'x\u0085y']) {
      const { subject } = await rendered('EMAIL', { html: 'x', subject: 'S {{ word }}' }, { word })
      assert.equal(subject!, `S ${word}`.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), seed)
    }
  })

  test('in SMS, call, push and in-app texts, unchanged', async () => {
    for (const word of WORDS) {
      assert.equal((await rendered('SMS', { message: '{{ word }}' }, { word }))['message'], word)
      assert.equal((await rendered('CALL', { message: '{{ word }}' }, { word }))['message'], word)
      assert.equal((await rendered('PUSH', { message: '{{ word }}', title: 't' }, { word }))['message'], word)
      assert.equal((await rendered('INAPP_WEB', { title: '{{ word }}' }, { word }))['title'], word)
    }
  })

  test('in the XML of a call', async () => {
    const spoken = await page.evaluate(
      documents =>
        documents.map(text => {
          const tree = new DOMParser().parseFromString(text, 'application/xml')
          return `${tree.querySelectorAll('*').length} ${tree.querySelector('Say')?.textContent}`
        }),
      WORDS.map(word => toSpeechXml('Say', word, 'en-US'))
    )
    assert.deepEqual(
      spoken,
      WORDS.map(word => `2 ${word}`),
      seed
    )
  })

  test('in titles and links as existing clients show them: Liquid in the browser, then HTML', async () => {
    const items = WORDS.map(title =>
      toLegacyNotification({
        date: '2026-11-20T00:00:00.000Z',
        id: '1',
        parameters: { x: '<script>hit()</script>' },
        rev: 1,
        redirectURL: `https://site.invalid/?q={{x}}${encodeURIComponent(title)}`,
        title,
        type: 't'
      })
    )
    const shown = await page.evaluate(async notifications => {
      const liquid = new (
        window as unknown as {
          liquidjs: { Liquid: new () => { parseAndRenderSync(text: string, data: object): string } }
        }
      ).liquidjs.Liquid()
      const frame = document.createElement('div')
      document.body.append(frame)
      return notifications.map(({ parameters, redirectURL, title }) => {
        frame.innerHTML = liquid.parseAndRenderSync(title, parameters ?? {})
        const link = liquid.parseAndRenderSync(redirectURL!, parameters ?? {})
        return { children: frame.childElementCount, link, text: frame.textContent }
      })
    }, items)
    for (const [i, { children, link, text }] of shown.entries()) {
      const title = WORDS[i]!
      assert.equal(text, title, seed)
      assert.equal(children, 0)
      assert.equal(new URL(link).searchParams.get('q'), `{{x}}${title}`, seed)
    }
  })

  test('and no script ran', async () => {
    assert.equal(await page.evaluate('window.hits'), 0)
  })
})
