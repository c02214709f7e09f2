// The plain text of an email, for mail programs without HTML.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { constantFrom, property, string } from 'fast-check'

import { PlainTextBuilder } from '../../../server/types/templates/html/plain-text.ts'
import { walkHtml } from '../../../server/types/templates/html/walk.ts'
import { checkProperty } from '../../support/generated.ts'

function plainTextOf(html: string): string {
  const builder = new PlainTextBuilder()
  walkHtml(html, builder)
  return builder.finish()
}

const says = (html: string, ...lines: string[]): void =>
  assert.equal(plainTextOf(html), lines.join('\n'), html)

test('separates paragraphs, begins blocks on a new line, and collapses spaces', () => {
  says(
    '<h1>Hi &amp; you</h1>\n<p>one\n  two</p><div>three</div><div>four</div>',
    'Hi & you',
    '',
    'one two',
    '',
    'three',
    'four'
  )
  says('a<br>b<br><br>c<br></p><p>d', 'a', 'b', '', 'c', '', 'd')
  says('<div>a</div><br><div>b</div>', 'a', '', 'b')
  says('a<br><br><br><br><br><br>b', 'a', '', '', 'b')
  says('in<b>tens</b>e <i> and </i> so', 'intense and so')
  says('x<hr>y', 'x', '', '-'.repeat(40), '', 'y')
  says('', '')
  says('<p> </p>', '')
})

test('breaks lines at 76 characters, but no words', () => {
  says('word '.repeat(30), 'word '.repeat(15).trim(), 'word '.repeat(15).trim())
  says(`a ${'x'.repeat(100)} b`, 'a', 'x'.repeat(100), 'b')
  says(`<ul><li>${'item '.repeat(16)}</ul>`, ` * ${'item '.repeat(14).trim()}`, '   item item')
})

test('writes the address of a link once', () => {
  says('See <a href="https://x.test/a?b=1&amp;c">this</a>, now', 'See this (https://x.test/a?b=1&c), now')
  says('<a href="https://y.test">https://y.test</a>', 'https://y.test')
  says('<a href="mailto:a@b.test">a@b.test</a>', 'a@b.test')
  says('<a href="mailto:a@b.test">Write</a>', 'Write (a@b.test)')
  says('<a href="https://x.test"><img src="x.png" alt="Shop"></a>', 'https://x.test')
  says('<a href="#top">up</a> <a name="x">here</a> <a href="">there</a>', 'up here there')
  says('<a href=https://x.test/?a=1&copy=2>x</a>', 'x (https://x.test/?a=1&copy=2)')
  says('<a href="https://x.test">one<a href="https://y.test">two', 'one (https://x.test)two (https://y.test)')
})

test('numbers or marks lists, also nested ones', () => {
  says('<ul><li>1<li>2</ul>', ' * 1', ' * 2')
  says(
    '<p>So:</p><ol start="9"><li>nine<ul><li>in</li><li>ner</li></ul></li><li>ten</ol>after',
    'So:',
    '',
    ' 9. nine',
    '     * in',
    '     * ner',
    ' 10. ten',
    '',
    'after'
  )
  says('<ul><li><p>a</p><p>b</p></li></ul>', ' * a', '', '   b')
})

test('marks quotes by their depth', () => {
  says(
    '<p>Hi</p><blockquote><p>a</p><p>b</p><blockquote>deep</blockquote></blockquote><p>x</p>',
    'Hi',
    '',
    '> a',
    '>',
    '> b',
    '>',
    '> > deep',
    '',
    'x'
  )
})

test('writes a table row as one line with separated cells', () => {
  says('<table><tr><th>Item<th>Price<tr><td>Bread<td>€ 3</table>', 'Item Price', 'Bread € 3')
  says('<table><tr><td>Bread</td> <td>€ 3</td></tr></table>', 'Bread € 3')
  says(
    '<table><tr><td><table><tr><td>in</td></tr></table></td></tr><tr><td>out</td></tr></table>',
    'in',
    '',
    'out'
  )
})

test('keeps preformatted text', () => {
  says('x<pre>  a\n    b\n\n  c</pre>y', 'x', '', '  a', '    b', '', '  c', '', 'y')
  says('<pre>a <b>b</b>\n  c</pre>', 'a b', '  c')
})

test('decodes character references', () => {
  says(
    '&lt;b&gt; &quot;&amp;amp;&quot; &euro; &hellip; &#8364; &#x1F600; &#146; &copy 2026',
    '<b> "&amp;" € … € 😀 ’ © 2026'
  )
  says('&nope; &; & &#0; &#xD800; &#99999999; AT&T', '&nope; &; & \uFFFD \uFFFD \uFFFD AT&T')
  says('a&nbsp;b soft&shy;ly &Auml;&auml; &alpha;&Omega; &rarr; &ensp;', 'a\u00A0b softly Ää αΩ →')
})

test('leaves out hidden elements', () => {
  says(
    '<style>p{}</style><title>t</title>a<script>if (a < b) alert("</p>")</script>b<!-- c > <p> -->d',
    'abd'
  )
  says('<STYLE>a</STYLE ><svg><text>x</text></svg><template><p>y</p></template>z', 'z')
  says('<div style="color:red; DISPLAY : none">pre <div>in</div> view</div><p>seen', 'seen')
  says('<img style="display:none"><input style="display:none">seen', 'seen')
  says('<!--[if mso]><p>Outlook</p><![endif]--><![if !mso]><p>all</p><![endif]>', 'all')
  says('<!DOCTYPE html><?xml?><!-->a<!--->b', 'ab')
})

test('limits the marks of deeply nested elements', () => {
  for (const piece of ['<blockquote>x', '<ul><li>x', '<ol><li>x']) {
    const html = piece.repeat(2000)
    assert.ok(plainTextOf(html).length < 6 * html.length, piece)
  }
})

test('reads broken HTML like a browser', () => {
  says('a < b <3 c<', 'a < b <3 c<')
  says('<p title="a>b">q</p><p title=don\'t>w</p>', 'q', '', 'w')
  says('a</b></p></ul></>b', 'a', '', 'b')
  says('a<p title="never ends', 'a')
  says('a<!-- never ends <p>b', 'a')
  says('a<script>never ends <p>b', 'a')
  says('<ul><li>a</blockquote></ol>b</ul>c', ' * ab', '', 'c')
})

test('writes no markup, and accepts any HTML', async () => {
  const html = string({
    maxLength: 200,
    unit: constantFrom(
      '<',
      '>',
      '/',
      '!--',
      '-->',
      'script',
      'p',
      'li',
      'ul',
      'ol',
      'blockquote',
      'pre',
      'a href=',
      '"',
      "'",
      '=',
      ' ',
      '\n',
      '&',
      '&lt',
      ';',
      '#',
      'word',
      'td',
      'style="display:none"',
      '<p>',
      '</p>',
      '<br>'
    )
  })
  await checkProperty(
    property(html, text => {
      const said = plainTextOf(text)
      assert.ok(!/[ \t]$/m.test(said), 'no space ends a line')
      assert.ok(!/\n{4}/.test(said))
      assert.equal(plainTextOf(`<p>before</p><p>${text}`).startsWith('before'), true)
    }),
    { runs: 500 }
  )
})

test('takes linear time for a megabyte of any HTML', () => {
  const plain = '<p>Jonas commented on <a href="https://maps.example/7">Harbour map</a>.</p>'
  const time = (html: string): number => {
    const { user } = process.cpuUsage()
    plainTextOf(html)
    return (process.cpuUsage().user - user) / 1000
  }
  time(plain.repeat(2000))
  const fair = time(plain.repeat(1_000_000 / plain.length))
  for (const bomb of [
    '<div>',
    '<a href="x">',
    '<ul><li>',
    '<blockquote>',
    '<table><tr><td>',
    '</li>',
    '</p>',
    '<',
    '<!',
    '<!--',
    '</',
    '<a ',
    ' href="',
    '<a =',
    "<a ='",
    '&',
    '&#106;',
    '<script>',
    '<pre>',
    '<b style="display:none">',
    '<ol><li>x</ol>',
    '<br>',
    ' ',
    '\u00AD',
    'x',
    '='
  ]) {
    const took = time(bomb.repeat(Math.ceil(1_000_000 / bomb.length)))
    assert.ok(
      took < 10 * fair + 500,
      `${JSON.stringify(bomb)}: ${Math.round(took)} ms, ${Math.round(fair)} ms is fair`
    )
  }
})
