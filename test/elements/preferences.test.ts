// Preferences inside a page and as a dialog: which control each channel has, and what a choice does.

import { expect, oneEvent } from '@open-wc/testing'
import { sendKeys } from '@web/test-runner-commands'

import { TransportError, createNotifStore } from '../../components/index.ts'
import type { NotifPreferences, NotifPreferencesPopup } from '../../components/index.ts'
import type { Choice } from '../../components/protocol/index.ts'
import { memoryInbox } from '../../components/transport/memory.ts'
import { harbour, world } from './support/harbour.ts'
import {
  allInside,
  button,
  chooseInMenu,
  inside,
  open,
  settled,
  show,
  type NotifPopup,
  waitUntil
} from './support/page.ts'
import { harbourPreferences, harbourSettings } from './support/preferences.ts'

const WIDE = 'inline-size: 1000px'
const titles = (element: Element): string[] =>
  allInside(element, '[part=title]').map(({ textContent }) => textContent!.trim())
const group = (element: Element, name: string): HTMLElement =>
  inside(element, `[role=group][aria-label="${name}"]`)!

/** A switch or choice by the names that a screen reader says. */
function control<T extends HTMLElement>(element: Element, type: string, channel: string, tag = 'input'): T {
  const cells = [...group(element, type).querySelectorAll<HTMLElement>('.cell')]
  const cell = cells.find(cell => cell.querySelector('.ch, .sr')?.textContent?.trim() === channel)
  return cell!.querySelector<T>(tag)!
}

async function inline(store = world({ preferences: harbourPreferences() }).store, style = '') {
  const element = await show<NotifPreferences>('<notif-preferences></notif-preferences>', raw => {
    raw.store = store
    raw.style.cssText = `display: block; ${style}`
  })
  await waitUntil(() => titles(element).length > 0, 'drawn')
  await settled(element)
  return element
}

function recording(refuse = false) {
  const sent: Choice[] = []
  const transport = memoryInbox({ preferences: harbourPreferences() }).transport()
  const store = createNotifStore({
    environment: { ready: async () => {} },
    transport: {
      ...transport,
      updateDeliveries: async choices => {
        sent.push(...choices)
        if (refuse) throw new TransportError(422, 'No.')
        await transport.updateDeliveries(choices)
      }
    }
  })
  return { sent, store }
}

describe('preferences', () => {
  it('lists types and sub-notifications by title, each channel with its control', async () => {
    const element = await inline(undefined, WIDE)
    await waitUntil(() => inside(element, '.wide'), 'a matrix')
    expect(titles(element)).to.deep.equal([
      'Comments and mentions',
      'Safety on board',
      'Season report',
      'Timetable changes',
      'Harbour line',
      'Island line',
      'Night boats'
    ])
    const heads = allInside(element, '.cols .ch').map(({ textContent }) => textContent!.trim())
    expect(heads).to.deep.equal(['In app', 'Email', 'SMS', 'Call', 'Mobile push', 'Web push'])
    expect(control<HTMLInputElement>(element, 'Comments and mentions', 'In app').checked).to.equal(true)
    expect(control(element, 'Comments and mentions', 'In app', 'select') === null).to.equal(true)
    const often = control<HTMLSelectElement>(element, 'Comments and mentions', 'Email', 'select')
    expect([...often.options].map(({ text }) => text)).to.deep.equal([
      'Instant',
      'Hourly',
      'Daily',
      'Weekly',
      'Monthly'
    ])
    expect([often.value, often.getAttribute('aria-label')]).to.deep.equal(['hourly', 'Frequency for Email'])
    expect(group(element, 'Safety on board').querySelector('.fixed')!.textContent!.trim()).to.equal(
      'Always on'
    )
  })

  it('shows every switch of a type if it is narrow, and folds its parts', async () => {
    const element = await inline(undefined, 'inline-size: 360px')
    const isInSight = (control: HTMLElement): boolean => control.checkVisibility()
    expect(isInSight(control(element, 'Timetable changes', 'Email'))).to.equal(true)
    expect(isInSight(control(element, 'Island line', 'Email'))).to.equal(false)
    const summary = inside(element, 'details.fold summary')!
    expect(summary.textContent!.trim()).to.equal('Harbour line, Island line, Night boats')
    summary.focus()
    await sendKeys({ press: 'Enter' })
    expect(isInSight(control(element, 'Island line', 'Email'))).to.equal(true)
  })

  it('turns off a whole channel, and keeps the choices below', async () => {
    const inbox = memoryInbox({ preferences: harbourSettings() })
    const store = createNotifStore({ environment: { ready: async () => {} }, transport: inbox.transport() })
    const element = await inline(store, WIDE)
    await waitUntil(() => inside(element, '.wide'), 'a matrix')
    const email = (type: string): HTMLInputElement => control(element, type, 'Email')
    expect(control<HTMLInputElement>(element, 'Everything', 'SMS').checked).to.equal(false)
    email('Everything').click()
    await settled(element)
    expect(email('Comments and mentions').checked).to.equal(true)
    expect(email('Comments and mentions').closest('.cell')!.classList.contains('dimmed')).to.equal(true)
    const state = (await inbox.transport().getPreferences()).channels
    expect([state!.EMAIL!.on, state!.PUSH!.on]).to.deep.equal([false, true])
    // The locked channel of the urgent type has no switch, and is not dimmed.
    expect(control(element, 'Safety on board', 'In app') === null).to.equal(true)
  })

  it('shows groups, descriptions and urgency', async () => {
    const element = await inline(world({ preferences: harbourSettings() }).store, WIDE)
    expect(allInside(element, '.group').map(({ textContent }) => textContent)).to.deep.equal([
      'Company',
      'Sailing',
      'Your work'
    ])
    expect(inside(element, '.urgent')!.textContent).to.equal('Urgent')
    const texts = allInside(element, '.type-text').map(({ textContent }) => textContent)
    expect(texts).to.include('Storm, fog, engine trouble. Comes at any hour.')
  })

  it('pauses until a time or until it is ended, by keyboard', async () => {
    const inbox = memoryInbox({ preferences: harbourSettings() })
    const store = createNotifStore({ environment: { ready: async () => {} }, transport: inbox.transport() })
    const pause = async () => (await inbox.transport().getPreferences()).pause!
    const element = await inline(store, WIDE)
    const summary = (): HTMLElement => inside(element, '.pause summary')!
    summary().focus()
    await sendKeys({ press: 'Enter' })
    await sendKeys({ press: 'Escape' })
    expect(inside<HTMLDetailsElement>(element, 'details.pause')!.open).to.equal(false)
    await sendKeys({ press: 'Enter' })
    await sendKeys({ press: 'Tab' })
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => inside(element, '.paused'), 'paused')
    const { isOn, until } = await pause()
    expect(isOn).to.equal(true)
    const ahead = Date.parse(until!) - Date.now()
    expect(ahead > 3_500_000 && ahead <= 3_600_000).to.equal(true)
    await waitUntil(() => element.shadowRoot!.activeElement?.classList.contains('pause-end'), 'focus')
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => !inside(element, '.paused'), 'on again')
    expect((await pause()).isOn).to.equal(false)
    await waitUntil(() => element.shadowRoot!.activeElement === summary(), 'focus')
  })

  it('sets quiet hours: hours, days and whether urgent types pass', async () => {
    const inbox = memoryInbox({ preferences: harbourSettings() })
    const store = createNotifStore({ environment: { ready: async () => {} }, transport: inbox.transport() })
    const quiet = async () => (await inbox.transport().getPreferences()).quiet!
    const element = await inline(store, WIDE)
    const [from, to] = allInside<HTMLInputElement>(element, 'input[type=time]')
    expect([from!.value, to!.value]).to.deep.equal(['22:00', '07:00'])
    to!.value = '23:30'
    to!.dispatchEvent(new Event('change'))
    await settled(element)
    expect((await quiet()).to).to.equal('23:30')
    inside(element, '.day-box input[aria-label=Sunday]')!.click()
    await settled(element)
    inside(element, '.day-box input[aria-label=Monday]')!.click()
    await settled(element)
    expect((await quiet()).days).to.deep.equal([2, 3, 4, 5, 7])
    inside(element, '.quiet [role=switch][aria-label="Urgent ones pass"]')!.click()
    await settled(element)
    inside(element, '.quiet [role=switch][aria-label="Quiet hours"]')!.click()
    await settled(element)
    expect([(await quiet()).urgentPasses, (await quiet()).on]).to.deep.equal([false, false])
    expect(inside(element, 'input[type=time]')).to.equal(null)
  })

  it('rolls back a setting that is refused', async () => {
    const inbox = memoryInbox({ preferences: harbourSettings() })
    const transport = {
      ...inbox.transport(),
      updateSettings: async (): Promise<void> => {
        throw new TransportError(422, 'No.')
      }
    }
    const element = await inline(
      createNotifStore({ environment: { ready: async () => {} }, transport }),
      WIDE
    )
    control(element, 'Everything', 'Email').click()
    await waitUntil(() => inside(element, '.refused'), 'refused')
    expect(control<HTMLInputElement>(element, 'Everything', 'Email').checked).to.equal(true)
  })

  it('sends a choice, turns on the highest frequency, and announces that it is saved', async () => {
    const { sent, store } = recording()
    const element = await inline(store, WIDE)
    control(element, 'Season report', 'Email').click()
    await waitUntil(() => sent.length === 1)
    await settled(element)
    expect(control(element, 'Season report', 'Email', 'select') === null).to.equal(true)
    control(element, 'Season report', 'Email').click()
    await waitUntil(() => sent.length === 2)
    const often = control<HTMLSelectElement>(element, 'Island line', 'Email', 'select')
    often.value = 'weekly'
    often.dispatchEvent(new Event('change', { bubbles: true }))
    await waitUntil(() => sent.length === 3)
    expect(sent).to.deep.equal([
      { channel: 'EMAIL', delivery: 'off', notificationId: 'season' },
      { channel: 'EMAIL', delivery: 'weekly', notificationId: 'season' },
      { channel: 'EMAIL', delivery: 'weekly', notificationId: 'timetable', subNotificationId: 'island' }
    ])
    const spoken = (): string[] =>
      [...document.querySelectorAll('body > [role=status]')].map(({ textContent }) => textContent!)
    await waitUntil(() => spoken().includes('Saved'), 'spoken')
  })

  it('announces inside a modal dialog of the page', async () => {
    const { store } = recording()
    const dialog = await show<HTMLDialogElement>('<dialog><notif-preferences></notif-preferences></dialog>')
    const element = dialog.querySelector('notif-preferences')!
    element.store = store
    dialog.showModal()
    await waitUntil(() => titles(element).length > 0)
    inside<HTMLInputElement>(element, 'input:checked')!.click()
    const spoken = (): string => dialog.querySelector('[role=status]')?.textContent ?? ''
    await waitUntil(() => spoken() === 'Saved', 'spoken where it is heard')
  })

  it('undoes a refused choice and shows a message in its row', async () => {
    const { store } = recording(true)
    const element = await inline(store, WIDE)
    const box = control<HTMLInputElement>(element, 'Safety on board', 'SMS')
    const refused = oneEvent(element, 'notif-error')
    box.click()
    expect((await refused).detail.error.message).to.equal('No.')
    await settled(element)
    expect(control<HTMLInputElement>(element, 'Safety on board', 'SMS').checked).to.equal(true)
    expect(group(element, 'Safety on board').querySelector('[role=alert]')!.textContent).to.equal(
      'Your change could not be saved and was undone.'
    )
    element.addEventListener('notif-error', event => event.preventDefault())
    control<HTMLInputElement>(element, 'Season report', 'Email').click()
    await waitUntil(() => !inside(element, '[role=alert]'), 'a page may say it in its own way')
  })

  it('shows that there are none or that loading failed, and retries on a click', async () => {
    const empty = await show<NotifPreferences>(
      '<notif-preferences></notif-preferences>',
      raw => (raw.store = world().store)
    )
    await waitUntil(
      () => inside(empty, '.empty-state-title')?.textContent === 'No notification preferences yet'
    )
    let away = true
    const transport = memoryInbox({ preferences: harbourPreferences() }).transport()
    const store = createNotifStore({
      environment: { ready: async () => {} },
      transport: {
        ...transport,
        getPreferences: async () => {
          if (away) throw new TransportError(0, 'away')
          return transport.getPreferences()
        }
      }
    })
    const failed = await show<NotifPreferences>(
      '<notif-preferences></notif-preferences>',
      raw => (raw.store = store)
    )
    await waitUntil(
      () => inside(failed, '.empty-state-title')?.textContent === 'Your preferences did not load'
    )
    away = false
    button(failed, 'Try again').click()
    await waitUntil(() => titles(failed).length > 0)
  })

  it('says what to do if the server refuses the user, and logs the reason', async () => {
    const { warn } = console
    const warnings: string[] = []
    console.warn = (text: string) => void warnings.push(text)
    try {
      const store = createNotifStore({
        environment: { ready: async () => {} },
        transport: {
          ...memoryInbox().transport(),
          getPreferences: async () => {
            throw new TransportError(401, 'The user hash is wrong.')
          }
        }
      })
      const element = await show<NotifPreferences>(
        '<notif-preferences></notif-preferences>',
        raw => (raw.store = store)
      )
      await waitUntil(() => inside(element, '.empty-state') && warnings[0])
      const text = inside(element, '.empty-state')!.textContent
      expect(text).to.contain('Reload the page, or sign in again.')
      expect(text).not.to.contain('hash')
      expect(warnings).to.deep.equal([
        'notif-kit: the server refused the preferences: The user hash is wrong.'
      ])
    } finally {
      console.warn = warn
    }
  })
})

describe('preferences as a dialog', () => {
  it('opens and closes by its property, Esc, its button and a click on the backdrop', async () => {
    const { store } = world({ preferences: harbourPreferences() })
    let closed = 0
    const element = await show<NotifPreferencesPopup>(
      '<notif-preferences-popup></notif-preferences-popup>',
      raw => {
        raw.store = store
        raw.onClose = () => closed++
        raw.addEventListener('close', () => closed++)
      }
    )
    const dialog = inside<HTMLDialogElement>(element, 'dialog')!
    const ways = [
      () => (element.open = false),
      () => sendKeys({ press: 'Escape' }),
      () => button(element, 'Close').click(),
      () => dialog.click()
    ]
    for (const [index, close] of ways.entries()) {
      element.open = true
      await waitUntil(() => dialog.open && titles(element).length > 0, 'open')
      await close()
      await waitUntil(() => closed === 2 * (index + 1), 'told once each')
      expect([element.open, dialog.open, element.hasAttribute('open')]).to.deep.equal([false, false, false])
    }
  })

  it('has disclosures also if the page makes its element wide', async () => {
    const { store } = world({ preferences: harbourPreferences() })
    const element = await show<NotifPreferencesPopup>(
      '<notif-preferences-popup style="display: block"></notif-preferences-popup>',
      raw => (raw.store = store)
    )
    element.open = true
    await waitUntil(() => titles(element).length > 0, 'drawn')
    await new Promise(requestAnimationFrame)
    await settled(element)
    expect(inside(element, 'summary') !== null).to.equal(true)
    expect(inside(element, '.wide') === null).to.equal(true)
  })

  it('opens from the button of an inbox, and returns the focus to the bell', async () => {
    const { store } = world({ items: harbour(), preferences: harbourPreferences() })
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', element => (element.store = store))
    await open(popup)
    await chooseInMenu(popup, 'Preferences')
    const dialog = (): NotifPreferencesPopup | null => inside(popup, 'notif-preferences-popup')
    await waitUntil(() => dialog() && titles(dialog()!).length > 0, 'the dialog')
    expect(inside(popup, '.panel')!.matches(':popover-open')).to.equal(false)
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => !dialog(), 'gone')
    await waitUntil(() => popup.shadowRoot!.activeElement?.matches('.bell'), 'the focus')
  })

  it('has a status that says that a choice is saved, inside the modal dialog', async () => {
    const { store } = recording()
    const element = await show<NotifPreferencesPopup>(
      '<notif-preferences-popup open></notif-preferences-popup>',
      raw => (raw.store = store)
    )
    await waitUntil(() => titles(element).length > 0)
    const voice = inside(element, 'dialog [role=status]')!
    expect(voice.textContent!.trim()).to.equal('')
    inside<HTMLInputElement>(element, 'input:checked')!.click()
    await waitUntil(() => voice.textContent!.trim() === 'Saved', 'spoken where it is heard')
    expect(voice.matches('[aria-hidden=true] *')).to.equal(false)
  })

  it('stays open when it is moved', async () => {
    const { store } = world({ preferences: harbourPreferences() })
    const element = await show<NotifPreferencesPopup>(
      '<notif-preferences-popup open></notif-preferences-popup>',
      raw => (raw.store = store)
    )
    const dialog = inside<HTMLDialogElement>(element, 'dialog')!
    await waitUntil(() => dialog.matches(':modal'))
    let closed = 0
    element.addEventListener('close', () => closed++)
    element.parentElement!.append(document.createElement('p'), element)
    await settled(element)
    await settled(element)
    expect([element.open, dialog.matches(':modal'), closed]).to.deep.equal([true, true, 0])
  })
})
