// Draws one state of the kit, named by the address: `page.html#popup`.

import '../../../components/all.ts'
import { TransportError, createNotifStore } from '../../../components/headless/index.ts'
import { configure } from '../../../components/index.ts'
import type { Pause } from '../../../components/protocol/index.ts'
import { harbour, many, world } from '../support/harbour.ts'
import { harbourPreferences } from '../support/preferences.ts'
import { PREFERENCES } from './preferences.ts'
import { TOASTS } from './toast-scenes.ts'

const never = new Promise<never>(() => {})
/** What opening marks as seen after a second would be another state on a slow machine, so opening marks all. */
const make = (html: string): void => {
  const content = document.createRange().createContextualFragment(html)
  for (const bell of content.querySelectorAll('notif-popup, notif-launcher'))
    bell.setAttribute('mark-opened', 'open')
  for (const feed of content.querySelectorAll('notif-feed')) feed.setAttribute('mark-opened', 'never')
  document.body.append(content)
}
const bar = (inside: string): string => `<header class="bar"><b>Heron Ferries</b>${inside}</header>`

function broken(getPage: () => Promise<never>) {
  const { inbox } = world()
  const environment = { ready: async () => {} }
  return createNotifStore({ environment, transport: { ...inbox.transport(), getPage } })
}

/** The second opening of an inbox with news. @param answer - of the user to the question of the browser */
function ask(answer: NotificationPermission | 'failed'): void {
  // Some headless browsers have answered already.
  localStorage.removeItem('hideWebPushOptInMessage')
  localStorage.setItem('notif-push:', JSON.stringify({ looks: 1, refusals: 0, refusedAt: 0 }))
  let permission: NotificationPermission = 'default'
  Object.defineProperty(Notification, 'permission', { get: () => permission })
  Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration: async () => ({}) } })
  const { inbox } = world({ items: harbour().slice(-2) })
  const environment = { ready: async () => {} }
  const setWebPushOptIn = async (): Promise<void> => {
    if (answer === 'failed') throw new TransportError(0, 'away')
    permission = answer
  }
  configure({
    store: createNotifStore({ environment, transport: { ...inbox.transport(), setWebPushOptIn } })
  })
  make(bar('<notif-popup></notif-popup>'))
}

function showPause(pause: Pause): void {
  const preferences = { ...harbourPreferences(), pause }
  configure({ store: world({ items: harbour(), preferences }).store })
  const before = '<a href="#before">Before</a>'
  const counter = '<notif-counter><button>Orders</button></notif-counter>'
  make(`${bar(`${before}<notif-popup></notif-popup>${counter}`)}<notif-launcher></notif-launcher>`)
}

const SCENES: Record<string, () => unknown> = {
  arabic() {
    document.documentElement.lang = 'ar'
    document.documentElement.dir = 'rtl'
    configure({ store: world({ items: harbour() }).store })
    make(bar('<notif-popup></notif-popup>'))
  },
  asked: () => ask('default'),
  'asked-blocked': () => ask('denied'),
  'asked-failed': () => ask('failed'),
  'asked-on': () => ask('granted'),
  /** Notifications that can be paused, between two links of the page. */
  pause: () => showPause({ isOn: false, until: null }),
  paused: () => showPause({ isOn: true, until: new Date(Date.now() + 3_600_000).toISOString() }),
  badges() {
    const { store } = world({ items: many(150, 150) })
    configure({ store })
    const bells =
      '<notif-popup></notif-popup><notif-popup class="dot"></notif-popup><notif-popup class="three"></notif-popup><notif-popup button-width="56" button-height="56" button-icon-size="32" icon-color="tomato"></notif-popup><notif-popup>Inbox</notif-popup><notif-counter></notif-counter><notif-counter><button>Orders</button></notif-counter><notif-counter dot><button>Dot</button></notif-counter>'
    make(
      `<div class="bar">${bells}</div><div class="bar ink">${bells}</div><div class="bar sand">${bells}</div><div class="bar" dir="rtl">${bells}</div>`
    )
    for (const popup of document.querySelectorAll<HTMLElementTagNameMap['notif-popup']>('.dot'))
      popup.unreadBadgeProps = { dot: true }
    for (const popup of document.querySelectorAll<HTMLElementTagNameMap['notif-popup']>('.three'))
      popup.unreadBadgeProps = {
        count: item => item.title.endsWith('1 changed its berth') && item.title.length > 30,
        max: 9
      }
  },
  empty() {
    configure({ store: world().store })
    make(bar('<notif-popup></notif-popup>'))
  },
  error() {
    configure({
      store: broken(async () => {
        throw new TransportError(0, 'away')
      })
    })
    make(bar('<notif-popup></notif-popup>'))
  },
  feed() {
    configure({ store: world({ items: [...many(39), ...harbour()] }).store })
    make(
      '<div class="page"><notif-feed bordered page-size="7"></notif-feed><notif-feed size="small" page-size="4" page-position="bottom"></notif-feed><notif-feed bordered split size="large" page-size="3" new-tab image-shape="square"></notif-feed></div>'
    )
  },
  tabs() {
    const { store } = world({ items: harbour() })
    configure({ store })
    make(bar('<notif-popup></notif-popup>'))
    document.querySelector('notif-popup')!.tabs = [
      { label: 'Timetable', types: ['timetable', 'boat'] },
      { label: 'Notes', types: ['reply', 'mention'] },
      { label: 'Reviews', types: ['review'] },
      { label: 'Tasks', types: ['task'] },
      { label: 'Invoices', types: ['invoice'] }
    ]
    const [first] = harbour()
    if (first)
      void store.snooze([store.$notifications.get()[0]?.id ?? 'h1'], new Date(Date.now() + 86_400_000))
  },
  /** Items that came back, were answered or failed, of types that the user can turn off. */
  fewer() {
    const now = new Date()
    const items = harbour().map(item => Object.assign(item, { type: 'comments' }))
    const [first, second, third] = items.slice(-3).toReversed()
    Object.assign(first!, { snoozedAt: new Date(now.getTime() - 86_400_000).toISOString() })
    Object.assign(second!, {
      actions: [{ id: 'yes', label: 'Approve' }],
      outcome: {
        actionId: 'yes',
        at: now.toISOString(),
        state: 'done',
        text: 'You approved this for all boats of the northern line, from Monday on and until the end of the season'
      }
    })
    Object.assign(third!, { progress: { state: 'failed' } })
    const { store } = world({ items, preferences: harbourPreferences() })
    configure({ store })
    make(bar('<notif-popup></notif-popup>'))
  },
  'fewer-arabic'() {
    document.documentElement.lang = 'ar'
    document.documentElement.dir = 'rtl'
    SCENES['fewer']!()
  },
  german() {
    document.documentElement.lang = 'de'
    const item = {
      body: 'Die Barrierefreiheitsüberprüfung der Fahrgastinformationsanzeigen wurde auf Donnerstag verschoben.',
      title:
        'Donaudampfschifffahrtsgesellschaftskapitän Lindqvist hat die Fahrplanänderungsmitteilung freigegeben'
    }
    configure({ store: world({ items: [...harbour(), item] }).store })
    make(bar('<notif-popup></notif-popup>'))
  },
  corner() {
    configure({ store: world({ items: harbour().slice(-2) }).store })
    make('<notif-launcher></notif-launcher>')
  },
  launcher() {
    configure({ store: world({ items: harbour() }).store })
    make(
      '<notif-launcher position="TOP_LEFT"></notif-launcher><notif-launcher position="TOP_RIGHT"></notif-launcher><notif-launcher position="BOTTOM_LEFT"></notif-launcher><notif-launcher></notif-launcher>'
    )
  },
  /** Everything that has keys, between two links of the page. */
  keys() {
    configure({
      store: world({ items: [...many(9, 0), ...harbour()], preferences: harbourPreferences() }).store
    })
    make(
      `${bar('<a href="#before">Before</a><notif-popup></notif-popup>')}<div class="page">
      <notif-feed id="paged" page-size="3"></notif-feed><a href="#between">Between</a>
      <notif-feed id="endless" pagination="INFINITE_SCROLL" infinite-scroll-height="300"></notif-feed>
      <notif-preferences></notif-preferences></div><a href="#after">After</a><notif-launcher></notif-launcher>`
    )
  },
  lists() {
    configure({ store: world({ items: [...many(2, 0), ...harbour().slice(-3)] }).store })
    make(
      '<div class="page"><notif-feed page-size="2"></notif-feed><notif-feed pagination="INFINITE_SCROLL" page-size="50" new-tab header="none"></notif-feed></div>'
    )
  },
  loading() {
    configure({ store: broken(() => never) })
    make(bar('<notif-popup></notif-popup>'))
  },
  offline() {
    const { inbox, store } = world({ items: harbour() })
    configure({ store })
    Object.defineProperty(navigator, 'onLine', { value: false })
    setTimeout(() => inbox.setOnline(false), 100)
    make(bar('<notif-popup></notif-popup>'))
  },
  popup() {
    configure({ store: world({ items: harbour() }).store })
    make(bar('<notif-popup><a slot="footer" href="#all">See all notifications</a></notif-popup>'))
  },
  scrolled() {
    const { inbox, store } = world({ items: many(60) })
    configure({ store })
    make(bar('<notif-popup></notif-popup>'))
    Object.assign(window, {
      arrive: () => {
        for (const n of [1, 2, 3]) inbox.add({ title: `Fresh ${n}` })
      }
    })
  },
  arriving() {
    const { inbox, store } = world({ items: harbour() })
    configure({ store })
    make(bar('<notif-popup></notif-popup>'))
    Object.assign(window, { arrive: () => inbox.add({ body: 'At the old pier.', title: 'Heron is back' }) })
  }
}

const scene = location.hash.slice(1)
SCENES[scene]?.()
PREFERENCES[scene]?.(make)
TOASTS[scene]?.(make)
