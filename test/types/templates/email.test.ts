// The parts of an email: text and HTML, a preview line, and no script links.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { composeEmail } from '../../../server/types/templates/email.ts'
import { startCpuTimer } from '../../support/cpu-time.ts'

const html = (body: string): string => composeEmail({ html: body, subject: 's' }).html!

test('builds the plain text from the HTML if the template has none', () => {
  assert.equal(composeEmail({ html: '<p>a</p><p>b</p>', subject: 's' }).text, 'a\n\nb')
  assert.equal(composeEmail({ html: '<p>a</p>', subject: 's', text: 'own' }).text, 'own')
  assert.deepEqual(composeEmail({ subject: 's', text: 'only text' }), { subject: 's', text: 'only text' })
})

test('puts the preview line first, hidden and escaped, and not into the text', () => {
  const mail = composeEmail({
    html: '<html><body class="a"><p>b</p></body></html>',
    previewText: '<b>Look',
    subject: 's'
  })
  assert.match(mail.html!, /^<html><body class="a"><div style="display:none;[^"]*">&lt;b&gt;Look&#847;/)
  assert.equal(mail.text, 'b')
})

test('wraps a fragment into a document with a character set, and keeps a document', () => {
  assert.match(
    html('<p>ä</p>'),
    /^<!doctype html>\n<html><head><meta charset="utf-8">.*<body>\n<p>ä<\/p>\n<\/body>/
  )
  assert.equal(html('<HTML lang=de><body>x</body></HTML>'), '<HTML lang=de><body>x</body></HTML>')
})

test('adds the language to a document without one', () => {
  const of = (body: string) => composeEmail({ html: body, subject: 's' }, 'de-AT').html!
  assert.match(of('<p>x</p>'), /^<!doctype html>\n<html lang="de-AT"><head>/)
  assert.equal(of('<html dir="ltr"><body>x'), '<html lang="de-AT" dir="ltr"><body>x')
  assert.equal(of('<HTML lang=fr><body>x'), '<HTML lang=fr><body>x')
  assert.equal(of('<body>x'), '<body>x')
})

test('removes script links, however they are written', () => {
  for (const value of [
    '"javascript:alert(1)"',
    "'JAVASCRIPT:alert(1)'",
    'javascript:alert(1)',
    '" java\nscript:alert(1)"',
    '"java\tscript:alert(1)"',
    '"&#106;avascript:alert(1)"',
    '"&#x6A;avascript&colon;alert(1)"',
    '"java&Tab;script&#58alert(1)"',
    '"vbscript:x"',
    '"data:text/html,<script>"',
    '"data:image/svg+xml,<svg onload=x>"'
  ]) {
    assert.ok(html(`<a href=${value}>x</a>`).includes('<a href="#">x</a>'), value)
    assert.ok(html(`<img SRC = ${value}>`).includes('<img SRC = "#">'), value)
  }
  for (const link of [
    '<a href="https://x.test/javascript:1">',
    "<a href='mailto:a@b.c'>",
    '<img src="data:image/png;base64,AA">',
    '<a href="/a">'
  ]) {
    assert.ok(html(link).includes(link), link)
  }
})

test('finds script links where a browser or Outlook reads them, and nowhere else', () => {
  for (const [written, expected] of [
    ['<!--[if mso]><a href="javascript:1">x</a><![endif]-->', '<!--[if mso]><a href="#">x</a><![endif]-->'],
    ['<svg><style><a href="javascript:1">', '<svg><style><a href="#">'],
    ['<a/href="javascript:1"src="javascript:2">x</a>', '<a/href="#"src="#">x</a>'],
    [`<a href="${'\t'.repeat(3_000)}javascript:1">x</a>`, '<a href="#">x</a>'],
    ['<a =href="javascript:1" href =\n"javascript:2">', '<a =href="javascript:1" href =\n"#">'],
    ['<p>a</p><a href=javascript:1 ', '<p>a</p>\n</body>']
  ] as const) {
    assert.ok(html(written).includes(expected), html(written))
  }
  for (const text of [
    '<p>Never write href="javascript:1".</p>',
    '<style>p::after { content: "src=javascript:1" }</style>',
    '<p title=\'href="javascript:1"\'>x</p>'
  ]) {
    assert.ok(html(text).includes(text), html(text))
  }
})

test('leaves removed links out of the plain text', () => {
  const parts = composeEmail({ html: '<a href="javascript:1">Click</a> <a href="/a">here</a>', subject: 's' })
  assert.equal(parts.text, 'Click here (/a)')
})

test('ignores tags in comments and styles', () => {
  const mail = composeEmail(
    { html: '<!-- <body> --><style>a{content:"<html>"}</style><p>b</p>', previewText: 'p', subject: 's' },
    'de'
  )
  assert.match(mail.html!, /^<!doctype html>\n<html lang="de"><head>.*<\/head><body><div style="display:none/)
  assert.equal(mail.text, 'b')
})

test('composes the documents of an attack in little time', () => {
  const cpuMs = startCpuTimer()
  for (const bomb of [
    '<div>'.repeat(80_000),
    '<body '.repeat(66_000),
    ' href="'.repeat(57_000),
    `<a href=${' '.repeat(400_000)}`,
    '<table><tr><td>'.repeat(26_000),
    '<'.repeat(400_000),
    '<ul><li>'.repeat(50_000),
    '&'.repeat(400_000),
    '&#106;'.repeat(66_000),
    '<div>'.repeat(9_000),
    '<div></b>'.repeat(44_000),
    '<svg>'.repeat(80_000),
    '<form>'.repeat(66_000),
    '<!--'.repeat(100_000),
    '<!-- <a -->'.repeat(36_000),
    `<a href="${'\t'.repeat(400_000)}">`,
    '<a href=javascript:1>'.repeat(19_000)
  ]) {
    composeEmail({ html: bomb, previewText: 'p', subject: 's' })
  }
  assert.ok(cpuMs() < 3_000, `${Math.round(cpuMs())} ms`)
})
