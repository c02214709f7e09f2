// Topics in the preferences: each with a button that leaves it, and joins it again.

import { expect, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore } from '../../components/index.ts'
import type { NotifPreferences, NotifPreferencesPopup } from '../../components/index.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { allInside, inside, settled, show, waitUntil } from './support/page.ts'
import { harbourPreferences, harbourSettings } from './support/preferences.ts'

const openStore = (inbox = memoryInbox({ preferences: harbourSettings() }), refuse = false) =>
  createNotifStore({
    environment: { ready: async () => {} },
    transport: {
      ...inbox.transport(),
      ...(refuse && {
        updateTopic: async () => {
          throw new TransportError(422, 'No.')
        }
      })
    }
  })

async function inline(store = openStore()): Promise<NotifPreferences> {
  const element = await show<NotifPreferences>('<notif-preferences></notif-preferences>', raw => {
    raw.store = store
  })
  await waitUntil(() => inside(element, '.quiet, .topics'), 'drawn')
  await settled(element)
  return element
}

const rows = (element: Element): HTMLElement[] => allInside<HTMLElement>(element, '[part=topic]')
const names = (element: Element): string[] =>
  rows(element).map(row => row.querySelector('button')!.getAttribute('aria-label')!)
const texts = (element: Element): string[] =>
  rows(element).map(({ innerText }) => innerText.replaceAll(/\s+/g, ' '))

const JOINED = ['Leave: Harbour line', 'Leave: Season tickets 2027']

describe('topics in the preferences', () => {
  it('are a named group, each with its title and a button', async () => {
    const element = await inline()
    expect(names(element)).to.deep.equal(JOINED)
    const group = inside(element, '[part=topics]')!
    expect(group.getAttribute('role')).to.equal('group')
    expect(inside(element, `#${group.getAttribute('aria-labelledby')}`)!.textContent).to.equal('Topics')
  })

  it('are left and joined again with the keyboard; the row, its place and the focus stay', async () => {
    const inbox = memoryInbox({ preferences: harbourSettings() })
    const topics = async () => (await inbox.transport().getPreferences()).topics!.map(({ id }) => id)
    const element = await inline(openStore(inbox))
    const button = rows(element)[0]!.querySelector('button')!
    button.focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => names(element)[0] === 'Join again: Harbour line', 'left')
    expect(texts(element)[0]).to.contain('You left this group.')
    expect(await topics()).to.deep.equal(['season-2027'])
    expect(element.shadowRoot!.activeElement === button).to.equal(true)
    const spoken = (): string[] =>
      [...document.querySelectorAll('body > [role=status]')].map(({ textContent }) => textContent!)
    await waitUntil(() => spoken().includes('Saved'), 'spoken')
    await sendKeys({ press: 'Space' })
    await waitUntil(() => names(element)[0] === 'Leave: Harbour line', 'joined')
    expect(await topics()).to.have.members(['line/harbour', 'season-2027'])
    expect(element.shadowRoot!.activeElement === button).to.equal(true)
  })

  it('follow the server: a topic that was left in another place is gone', async () => {
    const inbox = memoryInbox({ preferences: harbourSettings() })
    const element = await inline(openStore(inbox))
    inbox.prefer(harbourSettings({ topics: [{ id: 'season-2027', title: 'Season tickets 2027' }] }))
    await waitUntil(() => rows(element).length === 1)
    expect(names(element)).to.deep.equal(['Leave: Season tickets 2027'])
  })

  it('stay if the server refuses, with a message in the row', async () => {
    const element = await inline(openStore(undefined, true))
    const refused = oneEvent(element, 'notif-error')
    rows(element)[1]!.querySelector('button')!.click()
    expect((await refused).detail.error.message).to.equal('No.')
    await settled(element)
    expect(names(element)).to.deep.equal(JOINED)
    expect(rows(element)[1]!.querySelector('[role=alert]')!.textContent).to.equal(
      'Your change could not be saved and was undone.'
    )
    expect(allInside(element, '[role=alert]').length).to.equal(1)
  })

  it('are not shown if there are none or the server is older', async () => {
    for (const preferences of [harbourSettings({ topics: [] }), harbourPreferences()]) {
      const element = await show<NotifPreferences>('<notif-preferences></notif-preferences>', raw => {
        raw.store = openStore(memoryInbox({ preferences }))
      })
      await waitUntil(() => inside(element, '[part=type]'), 'drawn')
      expect(inside(element, '[part=topics]') === null).to.equal(true)
      element.remove()
    }
  })

  it('are shown before the first notification', async () => {
    const topics = [{ id: 'crew', title: 'Crew' }]
    const preferences = { notifications: [], preferences: [], subNotifications: [], topics }
    const element = await inline(openStore(memoryInbox({ preferences })))
    expect(names(element)).to.deep.equal(['Leave: Crew'])
    rows(element)[0]!.querySelector('button')!.click()
    await waitUntil(() => names(element)[0] === 'Join again: Crew', 'still there')
  })

  it('are in the dialog too, whose status says that it is saved', async () => {
    const element = await show<NotifPreferencesPopup>(
      '<notif-preferences-popup open></notif-preferences-popup>',
      raw => (raw.store = openStore())
    )
    await waitUntil(() => rows(element).length === 2)
    rows(element)[0]!.querySelector('button')!.click()
    const voice = inside(element, 'dialog [role=status]')!
    await waitUntil(() => voice.textContent!.trim() === 'Saved', 'spoken')
    expect(names(element)[0]).to.equal('Join again: Harbour line')
  })
})
