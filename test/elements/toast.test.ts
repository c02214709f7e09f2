// The toasts as users see them: live, with mouse, touch and keyboard.

import { expect } from '@open-wc/testing'
import { sendKeys, sendMouse, setViewport } from '@web/test-runner-commands'

import type { NotifToast } from '../../components/index.ts'
import { harbour, world, type World } from './support/harbour.ts'
import {
  allInside,
  button,
  inside,
  nameOf,
  open,
  rows,
  settled,
  show,
  titles,
  type NotifPopup,
  waitUntil
} from './support/page.ts'

const URGENT = {
  notifications: [{ channels: [], notificationId: 'urgent', options: {}, title: 'Urgent', urgent: true }],
  preferences: [],
  subNotifications: []
}

async function toastOf(given: World, markup = '<notif-toast></notif-toast>'): Promise<NotifToast> {
  const toast = await show<NotifToast>(markup, element => (element.store = given.store))
  await waitUntil(() => given.store.$connection.get().state === 'online', 'online')
  return toast
}

const empty = (toast: NotifToast): boolean => rows(toast).length === 0
const region = (toast: NotifToast): HTMLElement => inside(toast, '.toasts')!

async function shown(toast: NotifToast, count: number): Promise<void> {
  await waitUntil(
    () => rows(toast).filter(({ inert }) => !inert).length === count,
    `${count} toasts, not ${rows(toast).length}`
  )
  await settled(toast)
  for (const movement of toast.shadowRoot!.getAnimations()) movement.finish()
}

function record(toast: NotifToast): string[] {
  const events: string[] = []
  for (const type of ['notif-toast-show', 'notif-toast-hide', 'notif-select'] as const) {
    toast.addEventListener(type, ({ detail }) => events.push(`${type.slice(6)} ${detail.item.title}`))
  }
  return events
}

/** A finger that moves to a side. */
function drag(row: HTMLElement, x: number, y = 0): void {
  const at = (type: string, clientX: number, clientY: number): void =>
    void row.dispatchEvent(
      new PointerEvent(type, { bubbles: true, clientX, clientY, composed: true, pointerType: 'touch' })
    )
  at('pointerdown', 200, 200)
  at('pointermove', 200 + x / 2, 200 + y / 2)
  at('pointermove', 200 + x, 200 + y)
  at('pointerup', 200 + x, 200 + y)
}

describe('toast', () => {
  beforeEach(async () => {
    await setViewport({ height: 800, width: 1000 })
    await sendMouse({ position: [5, 5], type: 'move' })
  })

  it('shows only what arrives live, and is gone after six seconds', async () => {
    const given = world({ items: harbour() })
    const toast = await toastOf(given)
    const events = record(toast)
    expect(empty(toast)).to.equal(true)
    given.inbox.add({ body: 'From noon.', title: 'Heron is back' })
    await shown(toast, 1)
    const startedAt = performance.now()
    expect(titles(toast)).to.deep.equal(['Heron is back'])
    expect(region(toast).matches('section:popover-open')).to.equal(true)
    expect(region(toast).ariaLabel).to.equal('New notifications')
    expect(document.activeElement === document.body, 'the focus stays').to.equal(true)
    await waitUntil(() => empty(toast))
    expect(performance.now() - startedAt).to.be.greaterThan(5000)
    expect(region(toast).matches(':popover-open')).to.equal(false)
    expect(events).to.deep.equal(['toast-show Heron is back', 'toast-hide Heron is back'])
    expect(given.inbox.page(1).items[0]!.opened, 'a toast is not reading').to.equal(undefined)
  })

  it('shows at most three, the newest nearest to the corner, and the number of the others', async () => {
    const given = world()
    const toast = await toastOf(given, '<notif-toast position="TOP_LEFT"></notif-toast>')
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) given.inbox.add({ title })
    await shown(toast, 3)
    expect(titles(toast)).to.deep.equal(['Three', 'Two', 'One'])
    await waitUntil(() => inside(toast, '.rest')?.textContent === '2 more in the inbox')
    expect(inside(toast, 'button.rest'), 'no inbox to open').to.equal(null)
    const { left, top } = rows(toast)[0]!.getBoundingClientRect()
    expect([left, top]).to.deep.equal([24, 24])
  })

  it('opens the inbox, which takes all toasts away, and shows none while it is open', async () => {
    const given = world()
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', one => (one.store = given.store))
    const toast = await toastOf(given)
    for (const title of ['One', 'Two', 'Three', 'Four']) given.inbox.add({ title })
    await waitUntil(() => inside(toast, 'button.rest'))
    button(toast, '1 more in the inbox').click()
    await waitUntil(() => popup.open && empty(toast))
    const events = record(toast)
    given.inbox.add({ title: 'Seen in the inbox' })
    await waitUntil(() => titles(popup).includes('Seen in the inbox'))
    popup.hide()
    await waitUntil(() => !popup.hasAttribute('open'))
    given.inbox.add({ title: 'Heron is back' })
    await shown(toast, 1)
    expect(events).to.deep.equal(['toast-show Heron is back'])
    await open(popup)
    await waitUntil(() => empty(toast), 'the bell takes it away')
  })

  it('closes by its button and by Escape, and the focus goes on or back', async () => {
    const given = world()
    const place = await show('<button>Before</button>')
    const toast = await toastOf(given)
    given.inbox.add({ title: 'One' })
    given.inbox.add({ title: 'Two' })
    await shown(toast, 2)
    place.focus()
    const [first, second] = allInside<HTMLButtonElement>(toast, 'article button')
    expect(nameOf(first!)).to.equal('Close')
    first!.focus()
    await sendKeys({ press: 'Enter' })
    await shown(toast, 1)
    await waitUntil(() => toast.shadowRoot!.activeElement === second, 'the next has the focus')
    await sendKeys({ press: 'Escape' })
    await waitUntil(() => empty(toast) && document.activeElement === place, 'the focus is back')
  })

  it('stops the clock of all while one is pointed at or has the focus', async () => {
    const given = world()
    const toast = await toastOf(given)
    given.inbox.add({ title: 'One' })
    given.inbox.add({ title: 'Two' })
    await shown(toast, 2)
    const { x, y } = rows(toast)[0]!.getBoundingClientRect()
    await sendMouse({ position: [Math.round(x) + 90, Math.round(y) + 20], type: 'move' })
    const startedAt = performance.now()
    await waitUntil(() => performance.now() - startedAt > 7000 || empty(toast))
    await shown(toast, 2)
    allInside(toast, 'button')[0]!.focus()
    await sendMouse({ position: [5, 5], type: 'move' })
    await waitUntil(() => performance.now() - startedAt > 14_000 || empty(toast))
    await shown(toast, 2)
    ;(toast.shadowRoot!.activeElement as HTMLElement).blur()
    await waitUntil(() => empty(toast))
  })

  it('marks what is followed as clicked, and can be prevented', async () => {
    const given = world()
    const toast = await toastOf(given)
    given.inbox.add({ redirectURL: '#heron', title: 'Heron is back' })
    await shown(toast, 1)
    toast.addEventListener('notif-select', event => event.preventDefault(), { once: true })
    const link = inside(toast, 'a[href]')!
    link.click()
    await settled(toast)
    expect([location.hash, given.inbox.page(1).items[0]!.clicked]).to.deep.equal(['', undefined])
    const events = record(toast)
    link.click()
    await waitUntil(() => given.inbox.page(1).items[0]!.clicked)
    expect(location.hash).to.equal('#heron')
    await waitUntil(() => empty(toast))
    expect(events).to.deep.equal(['select Heron is back', 'toast-hide Heron is back'])
    location.hash = ''
  })

  it('never links to code', async () => {
    const given = world()
    const toast = await toastOf(given)
    given.inbox.add({ redirectURL: 'javascript:alert(1)', title: '<b>One</b>' })
    await shown(toast, 1)
    expect(inside(toast, 'a[href]')).to.equal(null)
    expect(titles(toast)).to.deep.equal(['<b>One</b>'])
  })

  it('shows nothing that the page prevents', async () => {
    const given = world()
    const toast = await toastOf(given)
    toast.addEventListener('notif-toast-show', event => {
      if (event.detail.item.title === 'One') event.preventDefault()
    })
    given.inbox.add({ title: 'One' })
    given.inbox.add({ title: 'Two' })
    await shown(toast, 1)
    expect(titles(toast)).to.deep.equal(['Two'])
  })

  it('shows nothing during a pause but what is urgent, which stays and is announced at once', async () => {
    const given = world({ preferences: { ...URGENT, pause: { isOn: true, until: null } } })
    const toast = await toastOf(given)
    given.inbox.add({ title: 'Later' })
    given.inbox.add({ title: 'Fog until noon', type: 'urgent' })
    await shown(toast, 1)
    expect(titles(toast)).to.deep.equal(['Fog until noon'])
    expect(rows(toast)[0]!.part.contains('urgent-toast')).to.equal(true)
    await waitUntil(() =>
      [...document.querySelectorAll('[role=status]')].some(
        ({ ariaLive, textContent }) =>
          ariaLive === 'assertive' && /Fog until noon|new notifications/.test(textContent!)
      )
    )
  })

  it('is swiped away by touch to a side, on a phone also upwards, and stays if that was short', async () => {
    const given = world()
    const toast = await toastOf(given)
    given.inbox.add({ title: 'One' })
    await shown(toast, 1)
    drag(rows(toast)[0]!, 8)
    await settled(toast)
    expect(rows(toast)[0]!.style.translate).to.equal('')
    drag(rows(toast)[0]!, 0, -120)
    await settled(toast)
    await shown(toast, 1)
    drag(rows(toast)[0]!, -100)
    await waitUntil(() => empty(toast))
    await setViewport({ height: 800, width: 390 })
    for (const title of ['One', 'Two']) given.inbox.add({ title })
    await shown(toast, 1)
    expect(titles(toast), 'one at a time').to.deep.equal(['One'])
    const { left, right, top } = rows(toast)[0]!.getBoundingClientRect()
    expect([left, right, top]).to.deep.equal([8, 382, 8])
    for (const position of ['TOP_LEFT', 'TOP_RIGHT', 'BOTTOM_LEFT']) {
      toast.setAttribute('position', position)
      await settled(toast)
      const place = rows(toast)[0]!.getBoundingClientRect()
      expect([place.left, place.right, place.top], position).to.deep.equal([8, 382, 8])
    }
    drag(rows(toast)[0]!, 0, -120)
    await waitUntil(() => titles(toast).join() === 'Two')
  })

  it('draws icon, people and progress, and its buttons answer in the inbox as well', async () => {
    const given = world()
    const toast = await toastOf(given)
    given.inbox.add({
      actions: [
        { id: 'approve', label: 'Approve', send: true },
        { id: 'ask', label: 'Ask Nour' }
      ],
      actors: [{ name: 'Amara Okafor' }, { name: 'Tomás Vega' }],
      id: 'fares',
      title: 'Winter fares'
    })
    given.inbox.add({
      icon: 'calendar',
      id: 'plan',
      progress: { state: 'running', value: 0.4 },
      title: 'Plan'
    })
    await shown(toast, 2)
    const [fares, plan] = ['fares', 'plan'].map(id => rows(toast).find(row => row.id === id))
    expect(fares!.querySelectorAll('.two > .avatar').length).to.equal(2)
    expect(plan!.querySelector('.avatar svg') !== null).to.equal(true)
    expect(plan!.querySelector('[role=progressbar]')!.getAttribute('aria-valuenow')).to.equal('40')
    await expect(toast).to.be.accessible()
    // Tab reaches them, as it does not in a list.
    const approve = button(toast, 'Approve')
    expect(approve.tabIndex).to.equal(0)
    approve.focus()
    await sendKeys({ press: 'Enter' })
    await waitUntil(() => inside(toast, '.acts [aria-busy]') !== null)
    await waitUntil(() => given.inbox.page(2).items.some(item => item.id === 'fares' && item.opened))
    given.inbox.update('fares', {
      outcome: { actionId: 'approve', at: new Date().toISOString(), state: 'done', text: 'You approved this' }
    })
    await waitUntil(() => inside(toast, '.state')?.textContent?.includes('You approved this'))
    expect(inside(toast, '.acts')).to.equal(null)
    expect((toast.shadowRoot!.activeElement as Element).id).to.equal('fares')
  })

  it('has no field for a reply, and says what the page answers', async () => {
    const given = world()
    const toast = await toastOf(given)
    toast.addEventListener('notif-item-action', event =>
      event.detail.respondWith(Promise.resolve('Nour was asked'))
    )
    given.inbox.add({ actions: [{ id: 'ask', label: 'Ask Nour' }], reply: {}, title: 'Plan' })
    await shown(toast, 1)
    expect(inside(toast, '[data-act=reply]')).to.equal(null)
    button(toast, 'Ask Nour').click()
    await waitUntil(() => inside(toast, '.state')?.textContent?.includes('Nour was asked'))
    const popup = await show<NotifPopup>('<notif-popup></notif-popup>', one => (one.store = given.store))
    await open(popup)
    await waitUntil(() => inside(popup, '.state')?.textContent?.includes('Nour was asked'))
  })

  it('is shown by one of two elements, and taken away when its user leaves', async () => {
    const given = world()
    const [one, other] = [await toastOf(given), await toastOf(given)]
    for (const title of ['One', 'Two', 'Three']) given.inbox.add({ title })
    await waitUntil(() => rows(one).length + rows(other).length === 3)
    await settled(other)
    expect([...titles(one), ...titles(other)].toSorted()).to.deep.equal(['One', 'Three', 'Two'])
    one.store = other.store = undefined
    await waitUntil(() => empty(one) && empty(other))
  })

  it('is mirrored from right to left', async () => {
    const given = world()
    const toast = await toastOf(given, '<notif-toast dir="rtl"></notif-toast>')
    given.inbox.add({ title: 'One' })
    await shown(toast, 1)
    expect(rows(toast)[0]!.getBoundingClientRect().left).to.equal(24)
  })
})
