// Where the panel opens: inside the window and beside its bell, wherever that stands and whatever place is asked for.

import { expect } from '@open-wc/testing'
import { setViewport } from '@web/test-runner-commands'

import { harbour, world } from './support/harbour.ts'
import { inside, open, rowsShown, show, type NotifPopup } from './support/page.ts'

const EDGES = {
  block: ['inset-block: 0 auto', 'inset-block: calc(50% - 20px) auto', 'inset-block: auto 0'],
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

describe('the panel', () => {
  afterEach(() => setViewport({ height: 600, width: 800 }))

  for (const [width, height] of [
    [500, 700],
    [768, 1024]
  ] as const) {
    it(`is inside a window of ${width} × ${height} and never over its bell`, async () => {
      await setViewport({ height, width })
      const { store } = world({ items: harbour() })
      const wrong: string[] = []
      for (const block of EDGES.block) {
        for (const inline of EDGES.inline) {
          for (const asked of [undefined, ...ASKED]) {
            const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => {
              element.style.cssText = `position: fixed; ${block}; ${inline}`
              element.popoverPosition = asked
              element.store = store
            })
            await open(popup)
            await rowsShown(popup, 9)
            const panel = inside(popup, '.panel')!
            for (const movement of panel.getAnimations()) movement.finish()
            const bounds = panel.getBoundingClientRect()
            const bell = inside(popup, '.bell')!.getBoundingClientRect()
            if (!within(bounds, new DOMRect(0, 0, innerWidth, innerHeight)) || !apart(bounds, bell)) {
              wrong.push(`${asked}, bell at ${bell.left} ${bell.top}: ${JSON.stringify(bounds)}`)
            }
            popup.parentElement!.remove()
          }
        }
      }
      expect(wrong).to.deep.equal([])
    })
  }
})
