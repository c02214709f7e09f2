// A font in which every character of every script is the same block, half as wide as high: with it a text takes the same
// room on every machine, whatever fonts that has. OpenType, sixteen bits after sixteen bits.

import type { Page } from 'playwright-core'

const TALL = 700
const WIDE = 450
const ADVANCE = 500
const ASCENT = 800
const DESCENT = -200

const none = (words: number): number[] => Array.from({ length: words }, () => 0)

/** A closed line of four points, on the curve each. */
const BLOCK = [1, 0, 0, WIDE, TALL, 3, 0, 0x01_01, 0x01_01, 0, 0, WIDE, 0, 0, TALL, 0, -TALL, 0]

/** By name, in the order in which the file has to have them. */
const TABLES: Readonly<Record<string, readonly number[]>> = {
  'OS/2': [
    [4, ADVANCE, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0],
    none(13),
    [0x6e_6f, 0x6e_65, 0xc0, 0x20, 0xff_ff, ASCENT, DESCENT, 0, ASCENT, -DESCENT],
    none(4),
    [500, TALL, 0, 32, 0]
  ].flat(),
  // Format 13: many characters, one glyph; all but the surrogates.
  cmap: [
    0, 1, 3, 10, 0, 12, 13, 0, 0, 40, 0, 0, 0, 2, 0, 0x20, 0, 0xd7_ff, 0, 1, 0, 0xe0_00, 0x10, 0xff_ff, 0, 1
  ],
  glyf: [...BLOCK, ...BLOCK],
  head: [1, 0, 1, 0, 0, 0, 0x5f_0f, 0x3c_f5, 3, 1000, ...none(8), 0, 0, WIDE, TALL, 0, 8, 2, 0, 0],
  hhea: [1, 0, ASCENT, DESCENT, 0, ADVANCE, 0, ADVANCE - WIDE, WIDE, 1, 0, 0, ...none(5), 2],
  hmtx: [ADVANCE, 0, ADVANCE, 0],
  loca: [0, BLOCK.length, 2 * BLOCK.length],
  maxp: [1, 0, 2, 4, 1, 0, 0, 2, ...none(8)],
  name: [0, 1, 18, 3, 1, 0x04_09, 1, 10, 0, ...Array.from('Block', letter => letter.codePointAt(0)!)],
  post: [3, 0, 0, 0, -100, 50, 0, 1, ...none(8)]
}

/** @returns the file in base64, without check sums, which browsers ignore */
function blockFont(): string {
  const names = Object.keys(TABLES)
  const head = 12 + 16 * names.length
  const sizes = names.map(name => 2 * TABLES[name]!.length)
  const padded = sizes.map(size => Math.ceil(size / 4) * 4)
  const file = Buffer.alloc(head + padded.reduce((sum, size) => sum + size))
  const power = 2 ** Math.floor(Math.log2(names.length))
  const header = [1, 0, names.length, 16 * power, Math.log2(power), 16 * (names.length - power)]
  for (const [at, word] of header.entries()) file.writeUInt16BE(word, 2 * at)
  let place = head
  for (const [at, name] of names.entries()) {
    file.write(name, 12 + 16 * at, 'latin1')
    file.writeUInt32BE(place, 12 + 16 * at + 8)
    file.writeUInt32BE(sizes[at]!, 12 + 16 * at + 12)
    for (const [index, word] of TABLES[name]!.entries()) file.writeUInt16BE(word & 0xff_ff, place + 2 * index)
    place += padded[at]!
  }
  return file.toString('base64')
}

const FONT = blockFont()

/** Replaces every character of the page with a block, and waits for the end of animations. */
export async function inBlocks(page: Page): Promise<void> {
  await page.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
    document.fonts.add(await new FontFace('Block', bytes, { weight: '1 1000' }).load())
    const sheet = new CSSStyleSheet()
    // Otherwise some machines round each letter to whole pixels.
    sheet.replaceSync('* { font-family: Block !important; text-rendering: geometricPrecision !important }')
    for (const { shadowRoot } of document.querySelectorAll('*')) shadowRoot?.adoptedStyleSheets.push(sheet)
    document.adoptedStyleSheets.push(sheet)
    // Each root lists the animations of its own tree only.
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(one => one.shadowRoot ?? [])]
    const running = (): Animation[] =>
      roots
        .flatMap(root => root.getAnimations())
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Infinity
        )
    // A transition that is cancelled may begin again.
    do {
      await Promise.allSettled(running().map(({ finished }) => finished))
      await new Promise(requestAnimationFrame)
    } while (running().length > 0)
  }, FONT)
}
