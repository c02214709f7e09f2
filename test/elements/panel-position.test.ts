// The panel opens inside the window and beside its bell, wherever the bell is and whichever position is set.

import { expect } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'

import { harbour, world } from './support/harbour.ts'
import { inside, open, rowsShown, show, type NotifPopup } from './support/page.ts'

const EDGES = {
  block: [
    'inset-block: 0 auto',
    'inset-block: calc(50% - 20px) auto',
    'inset-block: 55% auto',
    'inset-block: auto 0'
  ],
  inline: ['inset-inline: 0 auto', 'inset-inline: calc(50% - 20px) auto', 'inset-inline: auto 0']
}
const ASKED = ['top', 'center', 'bottom'].flatMap(vertical =>
  ['left', 'center', 'right'].map(horizontal => `${vertical} ${horizontal}`)
)

/** Half a pixel is the browser's rounding. */
const within = (inner: DOMRect, outer: DOMRect): boolean =>
  inner.left > outer.left - 1 &&
  inner.top > outer.top - 1 &&
  inner.right < outer.right + 1 &&
  inner.bottom < outer.bottom + 1

const apart = (one: DOMRect, other: DOMRect): boolean =>
  one.left > other.right - 1 ||
  one.right < other.left + 1 ||
  one.top > other.bottom - 1 ||
  one.bottom < other.top + 1

/** Width, height, and the places that are asked for in it. */
const WINDOWS: readonly (readonly [number, number, readonly (string | undefined)[]])[] = [
  [500, 700, [undefined, ...ASKED]],
  [768, 1024, [undefined, ...ASKED]],
  // Too low for two panels and a bell.
  [500, 320, [undefined, 'center left', 'top center']],
  [640, 320, [undefined, 'center right', 'bottom left']],
  [844, 390, [undefined, 'center center', 'top right']],
  [1200, 420, [undefined, 'center left', 'bottom center']]
]

describe('the panel', () => {
  afterEach(async () => {
    document.dir = ''
    await setViewport({ height: 600, width: 800 })
  })

  for (const [width, height, places] of WINDOWS) {
    for (const dir of ['ltr', 'rtl']) {
      it(`opens inside a window of ${width} × ${height} and not over its bell, ${dir}`, async () => {
        await setViewport({ height, width })
        document.dir = dir
        const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => {
          element.store = world({ items: harbour() }).store
        })
        await open(popup)
        await rowsShown(popup, 9)
        const [panel, bell, list] = ['.panel', '.bell', '.list'].map(part => inside(popup, part)!) as [
          HTMLElement,
          HTMLElement,
          HTMLElement
        ]
        const wrong: string[] = []
        for (const block of EDGES.block) {
          for (const inline of EDGES.inline) {
            // The position is physical, also from right to left.
            for (const asked of dir === 'rtl' ? [undefined] : places) {
              popup.hide()
              popup.style.cssText = `position: fixed; ${block}; ${inline}`
              popup.popoverPosition = asked
              await popup.updateComplete
              await popup.show()
              for (const movement of panel.getAnimations()) movement.finish()
              const [bounds, button] = [panel.getBoundingClientRect(), bell.getBoundingClientRect()]
              const fits = within(bounds, new DOMRect(0, 0, innerWidth, innerHeight)) && apart(bounds, button)
              // If there is space for a list.
              if (!fits || list.clientHeight < 90)
                wrong.push(`${asked}, bell at ${button.left} ${button.top}: ${JSON.stringify(bounds)}`)
            }
          }
        }
        expect(wrong).to.deep.equal([])
      })
    }
  }

  it('opens inside the window in a browser without anchor positioning', async () => {
    const { supports } = CSS
    const tall = document.createElement('div')
    tall.style.blockSize = '9000px'
    const isAnchor = (text: string): boolean => text.includes('position-area')
    const older = (...args: [string, string] | [string]): boolean =>
      !isAnchor(args[0]) && (supports as typeof older).apply(CSS, args)
    CSS.supports = older as typeof supports
    try {
      const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => {
        element.store = world({ items: harbour() }).store
      })
      await open(popup)
      await rowsShown(popup, 9)
      const root = popup.shadowRoot!
      root.adoptedStyleSheets = root.adoptedStyleSheets.map(sheet => {
        const known = new CSSStyleSheet()
        const rules = [...sheet.cssRules].filter(
          rule => !(rule instanceof CSSSupportsRule && isAnchor(rule.conditionText))
        )
        known.replaceSync(rules.map(({ cssText }) => cssText).join('\n'))
        return known
      })
      const panel = inside(popup, '.panel')!
      const finish = (): void => panel.getAnimations().forEach(movement => movement.finish())
      await setViewport({ height: 600, width: 600 })
      // A scroll bar takes some of the width.
      document.body.append(tall)
      for (const width of ['', '50%', 'calc(50% + 40px)', 'fit-content']) {
        for (const [block, inline] of [
          ['0', '8px'],
          ['30%', '48%'],
          ['50%', '90%'],
          ['80%', '60%']
        ]) {
          popup.hide()
          // During its closing animation it still has a width.
          finish()
          popup.style.cssText = `position: fixed; top: ${block}; left: ${inline}; --notif-popup-width: ${width || 'initial'}`
          await popup.show()
          // It is placed in the next frame.
          await new Promise(requestAnimationFrame)
          finish()
          const [bounds, button] = [panel, inside(popup, '.bell')!].map(part => part.getBoundingClientRect())
          const visible = new DOMRect(0, 0, document.documentElement.clientWidth, innerHeight)
          expect(within(bounds!, visible), `${width} ${JSON.stringify(bounds)}`).to.equal(true)
          expect(apart(bounds!, button!), block).to.equal(true)
          // Beside its bell, not in a corner of the window.
          expect(bounds!.left < button!.right && bounds!.right > button!.left, width).to.equal(true)
        }
      }
    } finally {
      CSS.supports = supports
      tall.remove()
    }
  })
})
