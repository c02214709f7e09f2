// What is taken out of the build is nothing that a page would miss.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'

import { squeeze } from '../../components/package/slim.ts'
import { ensureBuilt } from '../e2e/build.ts'

const DIST = join(import.meta.dirname, '../../dist')

before(ensureBuilt)

/** Name and text of every script of the kit and its demo; the page of all states is built apart, as tools do it. */
const scripts = (): readonly (readonly [string, string])[] =>
  readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.js') && !name.includes('states'))
    .map(name => [name, readFileSync(join(DIST, name), 'utf8')])

test('a template loses its indentation, and no word its space', () => {
  const source = `const a = html\`<p
    class="one"
    @click=\${() => go()}
  >
    Two words,
    \${name} and
    <b>three</b>
  </p>
  \${list.map(item => html\`<i>\${item}</i>\`)}\``
  assert.equal(
    squeeze(source),
    // oxlint-disable-next-line no-template-curly-in-string
    'const a = html`<p class="one" @click=${() => go()}> Two words, ${name} and <b>three</b></p>${list.map(item => html`<i>${item}</i>`)}`'
  )
})

test('a directive of a tag does not become part of the value before it', () => {
  const source = `html\`<i
    class=\${kind}
    \${ref(fill)}
  ></i>\``
  // oxlint-disable-next-line no-template-curly-in-string
  assert.equal(squeeze(source), 'html`<i class=${kind} ${ref(fill)}></i>`')
})

test('a style keeps its meaning, and one that is none stops the build', () => {
  assert.equal(
    squeeze(
      'css`\n  /* why */\n  .a > .b:dir(rtl) {\n    margin: calc(1px + 0.5em) 0;\n    --x: var(--y, 2px);\n  }\n`'
    ),
    'css`.a>.b:dir(rtl){margin:calc(1px + .5em) 0;--x:var(--y,2px)}`'
  )
  assert.throws(() => squeeze('css`a { color: "`'), /a \{ color/)
})

test('other code stays as it is', () => {
  const code = 'const cssx = tag`a  b`\n  // html: none\n'
  assert.equal(squeeze(code), code)
})

test('no script of the kit carries the indentation of a template, however deep it is', () => {
  // The connection has no template, and a library in it explains itself in several lines. The dashboard shows commands of several lines.
  const kit = scripts().filter(([name]) => !/demo|\/live-|\/admin\//.test(name))
  assert.ok(kit.length > 20, `${kit.length} scripts`)
  for (const [name, text] of kit) assert.doesNotMatch(text, /\n {2}/, name)
})

test('no wrapper of a tool is left, and every import leads to a file', () => {
  const all = scripts()
  const names = new Set(all.map(([name]) => name.slice(name.lastIndexOf('/') + 1)))
  let imports = 0
  for (const [name, text] of all) {
    assert.doesNotMatch(
      text,
      /Reflect\b[^;]*\bdecorate|__vitePreload|__VITE_PRELOAD__|vite:preloadError/,
      name
    )
    for (const [, file] of text.matchAll(
      /\b(?:from|import)\s*\(?\s*["'`]\.[\w./@-]*\/([\w.@-]+\.js)["'`]/g
    )) {
      imports++
      assert.ok(names.has(file!), `${name} imports ${file}, which is not there`)
    }
  }
  assert.ok(imports > 50, `${imports} imports`)
})
