// `open` of a popup and a launcher, and the events around it.

import { expect } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { harbour, world } from './support/harbour.ts'
import { inside, rows, settled, show, type NotifPopup, waitUntil } from './support/page.ts'

const isOpen = (popup: NotifPopup): boolean => Boolean(inside(popup, '.panel')?.matches(':popover-open'))
const bell = (popup: NotifPopup): HTMLElement => inside(popup, '.bell')!

const EVENTS = ['notif-show', 'notif-after-show', 'notif-hide', 'notif-after-hide'] as const

/** Events of the element, as the document hears them. */
function record(popup: NotifPopup): string[] {
  const events: string[] = []
  for (const type of EVENTS) {
    document.addEventListener(type, ({ target }) => target === popup && events.push(type))
  }
  return events
}

const popupOf = (markup: string): Promise<NotifPopup> =>
  show<NotifPopup>(markup, element => (element.store = world({ items: harbour() }).store))

for (const tag of ['notif-popup', 'notif-launcher'] as const) {
  describe(`open of ${tag}`, () => {
    it('is an attribute that opens the inbox when its code is loaded', async () => {
      const popup = await popupOf(`<${tag} open></${tag}>`)
      await waitUntil(() => isOpen(popup) && rows(popup).length > 0)
      expect(popup.open).to.equal(true)
      popup.removeAttribute('open')
      await waitUntil(() => !isOpen(popup))
      popup.setAttribute('open', '')
      await waitUntil(() => isOpen(popup))
      expect(rows(popup).length).to.be.greaterThan(0)
    })

    it('follows its user, as a property, an attribute and events', async () => {
      const popup = await popupOf(`<${tag}></${tag}>`)
      const events = record(popup)
      bell(popup).click()
      await waitUntil(() => events.includes('notif-after-show'))
      await settled(popup)
      expect(popup.open && popup.hasAttribute('open')).to.equal(true)
      await sendKeys({ press: 'Escape' })
      await waitUntil(() => events.includes('notif-after-hide'))
      await settled(popup)
      expect(popup.open || popup.hasAttribute('open')).to.equal(false)
      expect(events).to.deep.equal([...EVENTS])
    })
  })
}

describe('the events of a popup', () => {
  it('keep it closed if the page prevents that it opens', async () => {
    const popup = await popupOf('<notif-popup></notif-popup>')
    const events = record(popup)
    popup.addEventListener('notif-show', event => event.preventDefault(), { once: true })
    await popup.show()
    await settled(popup)
    expect(isOpen(popup) || popup.open).to.equal(false)
    expect(events).to.deep.equal(['notif-show'])
    bell(popup).click()
    await waitUntil(() => isOpen(popup))
  })

  it('keep it open if the page prevents that it closes, by its method, Escape or a click elsewhere', async () => {
    const popup = await popupOf('<notif-popup></notif-popup>')
    const events = record(popup)
    await popup.show()
    await waitUntil(() => events.includes('notif-after-show'))
    const ways = [
      () => popup.hide(),
      () => sendKeys({ press: 'Escape' }),
      () => void (popup.open = false),
      () => bell(popup).click()
    ]
    for (const [index, close] of ways.entries()) {
      popup.addEventListener('notif-hide', event => event.preventDefault(), { once: true })
      await close()
      await waitUntil(() => events.length === index + 3)
      await waitUntil(() => isOpen(popup) && popup.open, `open after way ${index}`)
      await settled(popup)
      expect(rows(popup).length).to.be.greaterThan(0)
    }
    expect(events.slice(2)).to.deep.equal(ways.map(() => 'notif-hide'))
    popup.hide()
    await waitUntil(() => !isOpen(popup))
    await waitUntil(() => events.at(-1) === 'notif-after-hide')
  })
})
