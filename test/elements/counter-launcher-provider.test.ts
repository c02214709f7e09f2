// Counter, launcher and provider.

import { ContextEvent } from '@lit/context'
import { expect, oneEvent } from '@open-wc/testing'

import { HYDRATION_MS } from '../../components/core/on-demand/warnings.ts'
import { storeContext } from '../../components/core/store-context.ts'
import { NotifProvider, configure, getNotifContext } from '../../components/index.ts'
import type { NotifCounter, NotifLauncher } from '../../components/index.ts'
import { harbour, many, world } from './support/harbour.ts'
import { hearing, inside, open, settled, show, type NotifPopup, waitUntil } from './support/page.ts'
import { within } from './support/time.ts'

const badge = (element: Element): string | undefined => inside(element, '.badge')?.textContent?.trim()

describe('counter', () => {
  it('shows the number of the server, a limit, a zero or a dot', async () => {
    const { inbox, store } = world({ items: many(150, 150) })
    const counter = await show<NotifCounter>(
      '<notif-counter></notif-counter>',
      element => (element.store = store)
    )
    await waitUntil(() => badge(counter) === '99+')
    expect(inside(counter, '.sr')!.textContent).to.equal('99+ new notifications')
    counter.max = 200
    await waitUntil(() => badge(counter) === '150', 'more than are loaded')
    expect(inside(counter, '.sr')!.textContent).to.equal('150 new notifications')
    counter.count = ({ title }) => title.includes('Boat 14')
    await waitUntil(() => badge(counter) === '10', 'a function counts what is loaded')
    counter.count = 'COUNT_UNARCHIVED_NOTIFICATIONS'
    inbox.patch({ archived: new Date().toISOString(), trackingIds: 'ALL' })
    await waitUntil(() => badge(counter) === undefined)
    counter.showZero = true
    await waitUntil(() => badge(counter) === '0')
    counter.dot = true
    await waitUntil(() => inside(counter, '.badge')!.matches('.dot') && badge(counter) === '')
  })

  it('lies on its child', async () => {
    const { store } = world({ items: harbour() })
    const counter = await show<NotifCounter>(
      '<notif-counter bubble-color="rgb(1, 2, 3)"><button>Inbox</button></notif-counter>',
      element => (element.store = store)
    )
    await waitUntil(() => badge(counter) === '4')
    const style = getComputedStyle(inside(counter, '.badge')!)
    expect([style.position, style.backgroundColor]).to.deep.equal(['absolute', 'rgb(1, 2, 3)'])
  })

  it('does not change the styles of its child, which do not change its number', async () => {
    const bar = `cursor: pointer; font: italic bold 9px/3 serif; letter-spacing: 3px; text-align: center; text-indent: 30px;
      text-shadow: 1px 1px red; text-transform: uppercase; white-space: nowrap; word-break: break-all; word-spacing: 9px`
    const { store } = world({ items: harbour() })
    const nav = await show(
      `<nav style="${bar}"><b>Inbox</b><notif-counter><b>Inbox</b></notif-counter></nav>`,
      raw => {
        raw.querySelector('notif-counter')!.store = store
      }
    )
    const counter = nav.querySelector('notif-counter')!
    await waitUntil(() => inside(counter, '.badge'))
    const inherited = (element: Element): string[] =>
      ['cursor', 'font', 'letter-spacing', 'text-align', 'text-indent', 'text-shadow', 'text-transform']
        .concat(['white-space', 'word-break', 'word-spacing'])
        .map(name => `${name}: ${getComputedStyle(element).getPropertyValue(name)}`)
    const [one, other] = nav.querySelectorAll('b')
    expect(inherited(other!)).to.deep.equal(inherited(one!))
    const { textIndent, textShadow } = getComputedStyle(inside(counter, '.badge')!)
    expect([textIndent, textShadow]).to.deep.equal(['0px', 'none'])
  })
})

describe('launcher', () => {
  it('lies in its corner and opens away from the edge', async () => {
    const { store } = world({ items: harbour() })
    const launcher = await show<NotifLauncher>(
      '<notif-launcher position="TOP_LEFT" offset-x="40" offset-y="10%"></notif-launcher>',
      element => (element.store = store)
    )
    const { left, top, width } = inside(launcher, '.bell')!.getBoundingClientRect()
    expect([left, Math.round(top), width]).to.deep.equal([40, Math.round(innerHeight / 10), 56])
    await open(launcher as unknown as NotifPopup)
    const panel = inside(launcher, '.panel')!.getBoundingClientRect()
    expect(panel.top).to.be.greaterThan(top + 56)
    expect(panel.left).to.be.closeTo(40, 1)
  })
})

describe('provider', () => {
  it('answers context requests from before it was defined', async () => {
    // Before a test sets the store of the document, which would answer immediately.
    const { store } = world({ items: harbour() })
    const tag = `awaited-provider-${Math.random().toString(36).slice(2)}`
    const place = await show(`<div><${tag}><p></p></${tag}></div>`)
    const provider = place.firstElementChild as NotifProvider
    const context = getNotifContext(provider.firstElementChild!)
    customElements.define(tag, class extends NotifProvider {})
    provider.store = store
    expect((await context) === store).to.equal(true)
  })

  it('fires an event and calls the callback for arrivals, and announces a burst once', async () => {
    const { inbox, store } = world({ items: harbour() })
    const told: number[] = []
    const provider = await show<NotifProvider>(
      '<notif-provider><notif-counter></notif-counter></notif-provider>',
      element => {
        element.store = store
        element.onNewNotifications = ({ length }) => void told.push(length)
      }
    )
    await waitUntil(() => badge(provider.querySelector('notif-counter')!) === '4')
    const news = oneEvent(provider, 'notif-new-notifications')
    inbox.add({ title: 'Heron is back' })
    expect((await news).detail.notifications[0].title).to.equal('Heron is back')
    inbox.add({ title: 'Heron left again' })
    await waitUntil(() => told.length === 2)
    const status = (): string[] =>
      [...document.querySelectorAll('body > [role=status]')].map(({ textContent }) => textContent!)
    await waitUntil(() => status().join() === '2 new notifications', `spoken: ${status().join()}`)
  })

  it('fires the event although no element shows notifications', async () => {
    const { inbox, store } = world()
    const told: string[] = []
    await show<NotifProvider>('<notif-provider></notif-provider>', element => {
      element.store = store
      element.onNewNotifications = ([item]) => void told.push(item!.title)
    })
    // Notifications from before the connection are not reported.
    await waitUntil(() => store.$connection.get().state === 'online', 'it connects by itself')
    inbox.add({ title: 'Heron is back' })
    await waitUntil(() => told.join() === 'Heron is back', told.join())
  })

  it('fires the event although the callback and a counting function throw, and reports the errors', async () => {
    const { inbox, store } = world({ items: harbour() })
    await hearing(async heard => {
      const provider = await show<NotifProvider>(
        '<notif-provider><notif-counter></notif-counter></notif-provider>',
        element => {
          element.store = store
          element.onNewNotifications = ([item]) => {
            throw new TypeError(item!.title)
          }
          element.querySelector('notif-counter')!.count = ({ type }) => {
            if (type === 'invoice') throw new TypeError('no invoices')
            return type === 'task'
          }
        }
      )
      const counter = provider.querySelector('notif-counter')!
      await waitUntil(() => badge(counter) === '1')
      const told: string[] = []
      provider.addEventListener('notif-new-notifications', ({ detail }) =>
        told.push(detail.notifications[0]!.title)
      )
      inbox.add({ title: 'Heron is back', type: 'task' })
      await waitUntil(() => told.length === 1 && badge(counter) === '2')
      inbox.add({ title: 'Heron left again', type: 'task' })
      await waitUntil(() => told.length === 2 && badge(counter) === '3')
      const spoken = (): string => document.querySelector('body > [role=status]')?.textContent ?? ''
      // One or both, depending on the time between them.
      await waitUntil(() => /new notification/i.test(spoken()), spoken())
      await waitUntil(() => heard.length > 2)
      expect(heard.toSorted()).to.deep.equal([
        'TypeError: Heron is back',
        'TypeError: Heron left again',
        'TypeError: no invoices'
      ])
    })
  })

  it('provides for the elements inside it if it is defined later', async () => {
    const outer = world({ items: harbour() })
    const inner = world({ items: [{ title: 'Only this' }] })
    await configure({ store: outer.store })
    const tag = `late-provider-${Math.random().toString(36).slice(2)}`
    const place = await show(`<${tag}><notif-counter></notif-counter></${tag}>`, raw =>
      Object.assign(raw, { store: inner.store })
    )
    const counter = place.querySelector('notif-counter')!
    const beside = await show<NotifCounter>('<notif-counter></notif-counter>')
    await waitUntil(() => badge(counter) === '4')
    customElements.define(tag, class extends NotifProvider {})
    await waitUntil(() => badge(counter) === '1', 'the nearer one')
    await configure({ store: world({ items: many(7, 7) }).store })
    await waitUntil(() => badge(beside) === '7')
    expect(badge(counter)).to.equal('1')
  })

  it('answers requests of the context protocol, also nested', async () => {
    const outer = world({ items: harbour() })
    const inner = world({ items: [{ title: 'Only this' }] })
    const tag = `inner-provider-${Math.random().toString(36).slice(2)}`
    const far = await show<NotifProvider>(
      `<notif-provider><${tag}><p></p></${tag}></notif-provider>`,
      raw => (raw.store = outer.store)
    )
    const near = far.firstElementChild as NotifProvider
    Object.assign(near, { store: inner.store })
    const heard: unknown[] = []
    const host = near.querySelector('p')!
    let leave = (): void => {}
    const event = new ContextEvent(
      storeContext,
      host,
      (scope, unsubscribe) => {
        if (leave !== unsubscribe) leave()
        leave = unsubscribe!
        heard.push(scope?.store)
      },
      true
    )
    host.dispatchEvent(event)
    expect(heard.at(-1) === outer.store).to.equal(true)
    customElements.define(tag, class extends NotifProvider {})
    await waitUntil(() => heard.at(-1) === inner.store, 'the nearer one takes over')
    const count = heard.length
    far.store = world().store
    await settled(near)
    expect(heard.length, 'and the other one is left').to.equal(count)
    near.store = outer.store
    await waitUntil(() => heard.at(-1) === outer.store, 'a change is told')
    expect((await getNotifContext(near)) === outer.store, 'a provider is in its own scope').to.equal(true)
    leave()
  })

  it('creates its store from its attributes and destroys it when it is removed', async () => {
    const provider = await show<NotifProvider>(
      '<notif-provider client-id="c" user-id="u" api-url="http://127.0.0.1:9"><notif-counter show-zero></notif-counter></notif-provider>'
    )
    const counter = provider.querySelector('notif-counter')!
    await waitUntil(() => badge(counter) === '0')
    const place = provider.parentElement!
    provider.remove()
    place.append(provider)
    await settled(counter)
    expect(badge(counter)).to.equal('0')
    provider.remove()
    await settled(counter)
    place.append(counter)
    await settled(counter)
    place.append(provider)
    provider.append(counter)
    await waitUntil(() => badge(counter) === '0', 'a new store')
  })

  it('logs attributes that lack the dashes of their names', async () => {
    const { warn } = console
    const warnings: string[] = []
    console.warn = (text: string) => void warnings.push(text)
    // With names of properties as a server renders them, and without a user.
    await show(
      '<notif-provider clientId="c" userId="u" playSoundOnNewNotification title="x"></notif-provider>'
    )
    await show('<notif-provider client-id="c" title="x"></notif-provider>')
    await waitUntil(() => warnings.length > 2)
    console.warn = warn
    expect(warnings).to.deep.equal([
      '<notif-provider> clientid is ignored: the attribute is client-id.',
      '<notif-provider> userid is ignored: the attribute is user-id.',
      '<notif-provider> playsoundonnewnotification is ignored: the attribute is play-sound-on-new-notification.'
    ])
  })

  it('logs unknown attributes and booleans with the text false, each once', async () => {
    const { warn } = console
    const warnings: string[] = []
    console.warn = (text: string) => void warnings.push(text)
    for (const _ of [1, 2]) {
      await show(
        `<notif-popup new-tab="false" colour="red" class="a" id="x" data-x="1" aria-label="b" tabindex="0" v-cloak
          _ngcontent-abc ng-version="20" onclick="" part="c" exportparts="button" lang="en" icon-color="red"></notif-popup>`
      )
    }
    await show('<notif-feed bordered="false" page-sise="3"></notif-feed>')
    await show('<notif-counter showZero title="x"></notif-counter>')
    await waitUntil(() => warnings.length > 4)
    console.warn = warn
    expect(warnings.toSorted()).to.deep.equal([
      '<notif-counter> showzero is ignored: the attribute is show-zero.',
      '<notif-feed> bordered="false" is on, as in HTML: leave the attribute out to turn it off.',
      '<notif-feed> page-sise is ignored: there is no such attribute.',
      '<notif-popup> colour is ignored: there is no such attribute.',
      '<notif-popup> new-tab="false" is on, as in HTML: leave the attribute out to turn it off.'
    ])
  })

  it('does not log attributes whose properties a framework sets during hydration', async () => {
    const { warn } = console
    const warnings: string[] = []
    console.warn = (text: string) => void warnings.push(text)
    await within(HYDRATION_MS, async () => {
      const rendered = await show<NotifProvider>(
        '<notif-provider clientId="c" userId="u" newNotificationSoundPath="/bell.mp3"></notif-provider>'
      )
      Object.assign(rendered, {
        apiUrl: 'http://127.0.0.1:9',
        clientId: 'c',
        newNotificationSoundPath: '/bell.mp3',
        userId: 'u'
      })
    })
    await show('<notif-provider client-id="c" userId="u" customServiceWorkerPath="/sw.js"></notif-provider>')
    const named = (attribute: string): boolean => warnings.some(text => text.includes(`> ${attribute} is`))
    await waitUntil(() => named('customserviceworkerpath'), 'what stays wrong')
    console.warn = warn
    expect(named('newnotificationsoundpath')).to.equal(false)
  })

  it('keeps its store when a framework sets the same values again', async () => {
    const said = (): object => ({ auth: async () => 'hash', user: { email: 'a@heron.example', id: 'u' } })
    const provider = await show<NotifProvider>(
      '<notif-provider client-id="c" api-url="http://127.0.0.1:9"><p></p></notif-provider>',
      raw => Object.assign(raw, said())
    )
    const place = provider.querySelector('p')!
    const context = await getNotifContext(place)
    Object.assign(provider, said())
    await settled(provider)
    expect((await getNotifContext(place)) === context, 'the same').to.equal(true)
    Object.assign(provider, { customServiceWorkerPath: '/other.js' })
    await settled(provider)
    expect((await getNotifContext(place)) === context, 'another worker').to.equal(false)
  })

  it('is not displayed if the page hides it', async () => {
    const provider = await show('<notif-provider hidden><p>Inbox</p></notif-provider>')
    expect(provider.firstElementChild!.checkVisibility()).to.equal(false)
    provider.hidden = false
    expect(provider.firstElementChild!.checkVisibility()).to.equal(true)
  })

  it('treats null like a missing value', async () => {
    const asked: string[] = []
    const own = window.fetch
    window.fetch = (...given) => {
      asked.push(String(given[0]))
      return own(...given)
    }
    try {
      const provider = await show<NotifProvider>(
        '<notif-provider client-id="c" api-url="x" user-id="x" user-hash="x"></notif-provider>',
        raw =>
          Object.assign(raw, { apiUrl: null, user: { id: 'own' }, userHash: null, userId: null, wsUrl: null })
      )
      const { $notifications } = await getNotifContext(provider)
      const leave = $notifications.listen(() => {})
      const found = (): string | undefined => asked.find(url => url.includes('/own/inbox?'))
      await waitUntil(found, 'the inbox is asked for')
      leave()
      expect(found()).to.contain(`${location.origin}/c/users/own/inbox?`)
    } finally {
      window.fetch = own
    }
  })
})
