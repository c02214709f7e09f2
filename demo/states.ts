// Shows every element in every state, each with its own in-memory inbox. Tests compare pictures of this page.

import { html, render, type TemplateResult } from 'lit'

import '../components/all.ts'
import { TransportError, createNotifStore } from '../components/headless/index.ts'
import type {
  BadgeOptions,
  NotifFeed,
  NotifPopup,
  NotifPreferencesPopup,
  NotifStore
} from '../components/index.ts'
import { given } from './given.ts'
import { ARABIC, GERMAN, harbourPreferences } from './harbour-preferences.ts'
import { harbour, many, world } from './harbour.ts'

const environment = { ready: async (): Promise<void> => {} }

/** Returns a store whose requests for pages and preferences call `answer`. */
function storeOf(answer: () => Promise<never>): NotifStore {
  const transport = { ...world().inbox.transport(), getPage: answer, getPreferences: answer }
  return createNotifStore({ environment, transport })
}

function offline(): NotifStore {
  // Simulates the lost network: the page itself has one.
  Object.defineProperty(navigator, 'onLine', { value: false })
  const { inbox, store } = world({ items: harbour().slice(-3) })
  const stop = store.$connection.subscribe(({ state }) => {
    if (state !== 'online') return
    inbox.setOnline(false)
    queueMicrotask(() => stop())
  })
  return store
}

const never = (): Promise<never> => new Promise<never>(() => {})
const away = async (): Promise<never> => {
  throw new TransportError(0, 'away')
}
const some = (count: number): NotifStore => world({ items: harbour().slice(-count) }).store
const unread = (count: number): NotifStore => world({ items: many(count, count) }).store
const german = {
  body: 'Die Barrierefreiheitsüberprüfung der Fahrgastinformationsanzeigen wurde auf Donnerstag verschoben.',
  id: 'de',
  title:
    'Donaudampfschifffahrtsgesellschaftskapitän Lindqvist hat die Fahrplanänderungsmitteilung freigegeben'
}
const arabic = {
  body: '«هل يمكن نقل خط العبّارة قليلا إلى الشمال؟ فهو يخفي اسم الرصيف القديم»',
  id: 'ar',
  title: 'علّقت أمارة أوسي على خريطة الميناء'
}

const feed = (store: NotifStore, options: Partial<NotifFeed> = {}): TemplateResult =>
  html`<notif-feed ${given({ bordered: true, pageSize: 4, store, ...options })}></notif-feed>`

const bell = (store: NotifStore, options: Partial<NotifPopup> = {}, inside = ''): TemplateResult =>
  html`<notif-popup ${given({ store, ...options })}>${inside}</notif-popup>`

const badge = (unreadBadgeProps: BadgeOptions): Partial<NotifPopup> => ({ unreadBadgeProps })

const bells = (): TemplateResult[] => [
  bell(some(1)),
  bell(unread(3)),
  bell(unread(12)),
  bell(unread(150)),
  bell(unread(1), badge({ dot: true })),
  bell(world().store),
  bell(world().store, badge({ showZero: true })),
  bell(unread(5), { buttonHeight: 56, buttonIconSize: 32, buttonWidth: 56, iconColor: 'tomato' }),
  bell(unread(2), {}, 'Inbox')
]

const counters = (): TemplateResult =>
  html`<notif-counter ${given({ store: unread(7) })}></notif-counter>
    <notif-counter ${given({ showZero: true, store: world().store })}></notif-counter>
    <notif-counter ${given({ max: 9, store: unread(12) })}><button>Orders</button></notif-counter>
    <notif-counter ${given({ dot: true, store: unread(1) })}><button>Dot</button></notif-counter>`

const CORNERS = ['TOP_LEFT', 'TOP_RIGHT', 'BOTTOM_LEFT', 'BOTTOM_RIGHT'] as const

const launchers = (): TemplateResult[] =>
  CORNERS.map(
    (position, index) =>
      html`<notif-launcher
        ${given({ offsetX: 12, offsetY: 12, position, store: some(index) })}
      ></notif-launcher>`
  )

/** Returns a store whose types have titles in the language of the page. */
function choosing(): NotifStore {
  const titles = { ar: ARABIC, de: GERMAN }[document.documentElement.lang]
  return world({ preferences: harbourPreferences(titles && (id => titles[id]!)) }).store
}

const preferences = (store: NotifStore): TemplateResult =>
  html`<notif-preferences ${given({ store })}></notif-preferences>`

const openNext = ({ currentTarget }: Event): void =>
  ((currentTarget as Element).nextElementSibling as NotifPreferencesPopup).show()

const STATES: Readonly<Record<string, () => TemplateResult>> = {
  'Bells on paper': () => html`<div class="row paper">${bells()}</div>`,
  'Bells on ink': () => html`<div class="row ink">${bells()}</div>`,
  'Bells on sand': () => html`<div class="row sand">${bells()}</div>`,
  Counters: () => html`<div class="row paper">${counters()}</div>`,
  'Pages on top': () => feed(world({ items: [...many(30, 0), ...harbour()] }).store),
  'Pages at the end': () => feed(world({ items: many(30, 2) }).store, { pagePosition: 'bottom' }),
  'Long and foreign words': () => feed(world({ items: [arabic, german] }).store),
  Loading: () => feed(storeOf(never)),
  Empty: () => feed(world().store),
  Failed: () => feed(storeOf(away)),
  Offline: () => feed(offline()),
  Small: () => feed(some(4), { bordered: false, size: 'small' }),
  'Large, split, square, new tab': () =>
    feed(some(4), { imageShape: 'square', newTab: true, size: 'large', split: true }),
  Vertical: () => feed(some(3), { itemLayout: 'vertical', split: true }),
  'Loading more': () => feed(some(2), { loading: true, pagination: 'INFINITE_SCROLL' }),
  'Own rows, extra, footer, more': () =>
    feed(some(3), {
      footer: 'All notifications',
      loadMore: html`<button>Show older ones</button>`,
      renderers: { extra: ({ type }) => html`<button>About ${type}</button>` }
    }),
  'A list of the page': () =>
    feed(world().store, {
      dataSource: ['Heron leaves at 14:30', { body: 'Pier 4', title: 'Kite leaves at 15:00' }],
      header: { title: 'Departures' },
      styles: { title: { fontStyle: 'italic' } }
    }),
  Cards: () => feed(some(6), { bordered: false, grid: {}, header: false, pageSize: 6 }),
  'Launchers in their corners': () => html`<div class="stage paper">${launchers()}</div>`,
  Preferences: () => preferences(choosing()),
  'Preferences in a column': () => preferences(choosing()),
  'Preferences on their way': () => preferences(storeOf(never)),
  'No preferences': () => preferences(world().store),
  'Preferences that did not load': () => preferences(storeOf(away)),
  'Preferences as a dialog': () =>
    html`<button @click=${openNext}>Open</button>
      <notif-preferences-popup ${given({ store: choosing() })}></notif-preferences-popup>`
}

const WIDE = new Set([
  'Bells on paper',
  'Bells on ink',
  'Bells on sand',
  'Cards',
  'Launchers in their corners',
  'Preferences'
])

function draw(): void {
  const main = document.querySelector('main')!
  render(
    Object.entries(STATES).map(
      ([name, state]) =>
        html`<section class=${WIDE.has(name) ? 'wide' : ''} id=${name.toLowerCase().replaceAll(/\W+/g, '-')}>
          <h2>${name}</h2>
          ${state()}
        </section>`
    ),
    main
  )
}

function dress(): void {
  const wanted = new URLSearchParams(location.search)
  const { documentElement: root, forms } = document
  root.lang = wanted.get('lang') ?? 'en'
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  const scheme = wanted.get('scheme') ?? ''
  if (/^(?:light|dark)$/.test(scheme)) root.classList.add(scheme)
  const form = forms[0]!
  for (const select of form.querySelectorAll('select')) {
    const value = wanted.get(select.name)
    if (value !== null) select.value = value
  }
  form.addEventListener('change', () => {
    location.search = new URLSearchParams([...new FormData(form)] as [string, string][]).toString()
  })
}

dress()
draw()
