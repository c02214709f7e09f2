// On a page in a language without texts in the kit, English texts are marked as English, and texts of the page are not.

import { expect } from '@open-wc/testing'

import { findLang } from '../../components/core/locale.ts'
// Loaded by the first arrival: a text that is announced before would not be seen here.
import '../../components/announce/live-region.ts'
import { createNotifStore, TransportError } from '../../components/index.ts'
import type {
  NotifCounter,
  NotifPreferences,
  NotifPreferencesPopup,
  NotifProvider
} from '../../components/index.ts'
import { harbour, world } from './support/harbour.ts'
import {
  allInside,
  button,
  inside,
  open,
  rowsShown,
  settled,
  show,
  waitUntil,
  type NotifFeed,
  type NotifPopup
} from './support/page.ts'
import { harbourPreferences } from './support/preferences.ts'

/** Language and direction of what a selector finds. */
const told = (element: Element, selector: string): string[] =>
  allInside(element, selector).map(part => `${part.lang}/${part.dir}`)

/** Languages that parts have, by themselves or from around them. */
const languages = (element: Element, selector: string): string[] => [
  ...new Set(allInside(element, selector).map(part => findLang(part)))
]

async function hebrew<T extends HTMLElement>(tag: string, given = world()): Promise<[NotifProvider, T]> {
  const place = await show(
    `<div lang="he" dir="rtl"><notif-provider><notif-${tag}></notif-${tag}></notif-provider></div>`,
    raw => {
      raw.querySelector('notif-provider')!.store = given.store
    }
  )
  const provider = place.querySelector('notif-provider')!
  return [provider, provider.firstElementChild as T]
}

describe('a page in a language without texts in the kit', () => {
  it('marks sentences as English, from left to right', async () => {
    const [provider, feed] = await hebrew<NotifFeed>('feed')
    await waitUntil(() => inside(feed, '.empty-state'))
    expect(told(feed, '.empty-state')).to.deep.equal(['en/ltr'])
    expect(told(feed, '.header')).to.deep.equal(['en/'])
    expect(inside(feed, '.empty-state')!.matches(':dir(ltr)')).to.equal(true)
    provider.lang = 'ar'
    await waitUntil(() => !inside(feed, '.header')!.hasAttribute('lang'))
    expect(told(feed, '.empty-state')).to.deep.equal(['/'])
  })

  it('leaves rows in the language of the page', async () => {
    const [, feed] = await hebrew<NotifFeed>('feed', world({ items: harbour() }))
    await rowsShown(feed, 9)
    expect(new Set(told(feed, '.actions, .sr, .day'))).to.deep.equal(new Set(['en/']))
    expect(allInside(feed, '.day').map(({ textContent }) => textContent!.trim())).to.include('Yesterday')
    expect(languages(feed, 'article, .title, .body')).to.deep.equal(['he'])
  })

  it('marks the names of bell and counter as English', async () => {
    const [, popup] = await hebrew<NotifPopup>('popup', world({ items: harbour() }))
    expect(told(popup, '.bell')).to.deep.equal(['en/'])
    await open(popup)
    expect(told(popup, '.header')).to.deep.equal(['en/'])
    // A label has the language of its element; the content of the element has its own.
    expect(languages(popup, '[aria-label]')).to.deep.equal(['en'])
    expect(languages(popup, '.list, article')).to.deep.equal(['he'])
    popup.header = 'התראות'
    await waitUntil(() => inside(popup, '.panel')!.ariaLabel === 'התראות')
    expect(findLang(inside(popup, '.panel')!)).to.equal('he')
    const [, counter] = await hebrew<NotifCounter>('counter', world({ items: harbour() }))
    expect(told(counter, '.sr')).to.deep.equal(['en/'])
  })

  it('marks preferences as English, but not their titles', async () => {
    const [, element] = await hebrew<NotifPreferences>(
      'preferences',
      world({ preferences: harbourPreferences() })
    )
    await waitUntil(() => inside(element, '.cell'))
    expect(told(element, '.header')).to.deep.equal(['en/'])
    // Also below its heading.
    expect(['p', 'bdi'].map(part => inside(element, `.header ${part}`)!.matches(':dir(ltr)'))).to.deep.equal([
      false,
      true
    ])
    expect(new Set(told(element, '.cell:not(.none), .type-text'))).to.deep.equal(new Set(['en/']))
    expect(allInside(element, '[part=title]').some(part => part.closest('[lang]'))).to.equal(false)
  })

  it('marks the dialog of preferences as English, but not its titles', async () => {
    const given = world({ preferences: harbourPreferences() })
    const [, dialog] = await hebrew<NotifPreferencesPopup>('preferences-popup', given)
    dialog.show()
    await waitUntil(() => inside(dialog, '.cell'))
    expect(languages(dialog, 'dialog, .cell, .footer')).to.deep.equal(['en'])
    expect(languages(dialog, '[part=title], .cells')).to.deep.equal(['he'])
  })

  it('marks the message about a refused choice as English, from left to right', async () => {
    const { inbox } = world({ preferences: harbourPreferences() })
    const updateDeliveries = (): Promise<never> => Promise.reject(new TransportError(422, 'No.'))
    const store = createNotifStore({
      environment: { ready: async () => {} },
      transport: { ...inbox.transport(), updateDeliveries }
    })
    const [, element] = await hebrew<NotifPreferences>('preferences', { inbox, store })
    await waitUntil(() => inside(element, '.cell input'))
    inside(element, '.cell input')!.click()
    await waitUntil(() => inside(element, '.refused'))
    expect(told(element, '.refused')).to.deep.equal(['en/ltr'])
  })

  it('does not mark texts of the page', async () => {
    const [provider, feed] = await hebrew<NotifFeed>('feed')
    provider.messages = { emptyTitle: 'הכול נקרא' }
    await waitUntil(() => inside(feed, '.empty-state-title')?.textContent === 'הכול נקרא')
    await settled(feed)
    expect(told(feed, '.empty-state')).to.deep.equal(['/'])
  })

  it('does not mark texts that a list has in `locale`', async () => {
    const [, feed] = await hebrew<NotifFeed>('feed')
    await waitUntil(() => inside(feed, '.empty-state')?.lang === 'en')
    feed.locale = { emptyText: 'שלום.', emptyTitle: 'הכול נקרא' }
    await waitUntil(() => inside(feed, '.empty-state-title')?.textContent === 'הכול נקרא')
    expect(told(feed, '.empty-state')).to.deep.equal(['/'])
    expect(inside(feed, '.empty-state')!.matches(':dir(rtl)')).to.equal(true)
  })

  it('does not mark a heading of the page, but the texts beside it', async () => {
    const [, feed] = await hebrew<NotifFeed>('feed')
    feed.header = 'התראות'
    await waitUntil(() => inside(feed, '.heading')?.textContent === 'התראות')
    expect(inside(feed, '.heading')!.closest<HTMLElement>('[lang]')?.lang).to.equal('he')
    expect(inside(feed, '.tabs')!.closest<HTMLElement>('[lang]')?.lang).to.equal('en')
    feed.header = undefined
    await waitUntil(() => inside(feed, '.heading')!.textContent === 'Notifications')
    expect(inside(feed, '.heading')!.closest<HTMLElement>('[lang]')?.lang).to.equal('en')
  })

  it('does not mark a bell with texts of the page', async () => {
    const [, popup] = await hebrew<NotifPopup>('popup', world({ items: harbour() }))
    popup.textContent = 'התראות'
    await waitUntil(() => inside(popup, '.bell')!.ariaLabel!.startsWith('התראות'))
    expect(told(popup, '.bell')).to.deep.equal(['/'])
  })

  it('announces English texts as English, and texts of the page in its language', async () => {
    const given = world()
    const [provider, feed] = await hebrew<NotifFeed>('feed', given)
    await waitUntil(() => inside(feed, '.empty-state'))
    const said = (): string[] =>
      [...document.querySelectorAll<HTMLElement>('body > [role=status] > *')].map(
        ({ lang, textContent }) => `${lang}: ${textContent}`
      )
    given.inbox.add({ title: 'Heron' })
    button(feed, 'Archived').click()
    await waitUntil(() => said().length === 2)
    expect(said()).to.deep.equal(['en: New notification: Heron', 'en: Nothing archived'])
    provider.messages = { arrived: () => 'חדש', emptyUnreadTitle: 'הכול נקרא' }
    await waitUntil(() => !inside(feed, '.header')!.hasAttribute('lang'))
    given.inbox.add({ title: 'Kite' })
    await waitUntil(() => said().join() === 'he: חדש')
    provider.messages = undefined
    provider.lang = 'de'
    await waitUntil(() => inside(feed, '.heading')!.textContent === 'Benachrichtigungen')
    given.inbox.add({ title: 'Tern' })
    await waitUntil(() => said().join() === 'de: Neue Benachrichtigung: Tern')
  })
})
