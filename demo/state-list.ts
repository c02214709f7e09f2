// Every element in every state, in groups: how it looks, and the few lines that make it so.

import { html, type TemplateResult } from 'lit'

import { TransportError, createNotifStore } from '../components/headless/index.ts'
import type {
  BadgeOptions,
  NotifFeed,
  NotifPopup,
  NotifPreferencesPopup,
  NotifStore
} from '../components/index.ts'
import { given } from './given.ts'
import { ARABIC, GERMAN, harbourPreferences, harbourSettings } from './harbour-preferences.ts'
import { harbour, many, world } from './harbour.ts'

export interface State {
  readonly name: string
  readonly code: string
  readonly look: () => TemplateResult
  /** Columns of six. Default: 3. */
  readonly span?: 2 | 3 | 6
}

export interface Group {
  readonly name: string
  readonly states: readonly State[]
}

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

const row = (ground: string, content: readonly TemplateResult[] | TemplateResult): TemplateResult =>
  html`<div class="row ${ground}">${content}</div>`

export const GROUPS: readonly Group[] = [
  {
    name: 'Bells',
    states: [
      {
        code: '<notif-popup></notif-popup>\n<notif-popup show-zero></notif-popup>',
        look: () => row('paper', bells()),
        name: 'Bells on paper',
        span: 6
      },
      {
        code: 'header {\n  color: #fff;\n  background: #17203a;\n}',
        look: () => row('ink', bells()),
        name: 'Bells on ink',
        span: 6
      },
      {
        code: 'header {\n  color: #3a1d00;\n  background: #ffcf9f;\n}',
        look: () => row('sand', bells()),
        name: 'Bells on sand',
        span: 6
      },
      {
        code: '<notif-counter></notif-counter>\n<notif-counter show-zero></notif-counter>\n<notif-counter max="9"><button>Orders</button></notif-counter>\n<notif-counter dot><button>Dot</button></notif-counter>',
        look: () => row('paper', counters()),
        name: 'Counters'
      },
      {
        code: '<notif-launcher position="TOP_LEFT" offset-x="12" offset-y="12"></notif-launcher>',
        look: () => html`<div class="stage paper">${launchers()}</div>`,
        name: 'Launchers in their corners'
      }
    ]
  },
  {
    name: 'Lists',
    states: [
      {
        code: '<notif-feed bordered page-size="4"></notif-feed>',
        look: () => feed(world({ items: [...many(30, 0), ...harbour()] }).store),
        name: 'Pages on top'
      },
      {
        code: '<notif-feed bordered page-size="4" page-position="bottom"></notif-feed>',
        look: () => feed(world({ items: many(30, 2) }).store, { pagePosition: 'bottom' }),
        name: 'Pages at the end'
      },
      {
        code: '<notif-feed size="small"></notif-feed>',
        look: () => feed(some(4), { bordered: false, size: 'small' }),
        name: 'Small'
      },
      {
        code: '<notif-feed bordered size="large" split image-shape="square" new-tab></notif-feed>',
        look: () => feed(some(4), { imageShape: 'square', newTab: true, size: 'large', split: true }),
        name: 'Large, split, square, new tab'
      },
      {
        code: '<notif-feed bordered split item-layout="vertical"></notif-feed>',
        look: () => feed(some(3), { itemLayout: 'vertical', split: true }),
        name: 'Vertical'
      },
      {
        code: '<notif-feed bordered dir="auto"></notif-feed>',
        look: () => feed(world({ items: [arabic, german] }).store),
        name: 'Long and foreign words'
      },
      {
        code: "feed.footer = 'All notifications'\nfeed.loadMore = html`<button>Show older ones</button>`\nfeed.renderers = {\n  extra: ({ type }) => html`<button>About ${type}</button>`\n}",
        look: () =>
          feed(some(3), {
            footer: 'All notifications',
            loadMore: html`<button>Show older ones</button>`,
            renderers: { extra: ({ type }) => html`<button>About ${type}</button>` }
          }),
        name: 'Own rows, extra, footer, more'
      },
      {
        code: "feed.header = { title: 'Departures' }\nfeed.styles = { title: { fontStyle: 'italic' } }\nfeed.dataSource = [\n  'Heron leaves at 14:30',\n  { title: 'Kite leaves at 15:00', body: 'Pier 4' }\n]",
        look: () =>
          feed(world().store, {
            dataSource: ['Heron leaves at 14:30', { body: 'Pier 4', title: 'Kite leaves at 15:00' }],
            header: { title: 'Departures' },
            styles: { title: { fontStyle: 'italic' } }
          }),
        name: 'A list of the page'
      },
      {
        code: 'feed.grid = {}\nfeed.header = false',
        look: () => feed(some(6), { bordered: false, grid: {}, header: false, pageSize: 6 }),
        name: 'Cards',
        span: 6
      }
    ]
  },
  {
    name: 'Moments',
    states: [
      { code: '<notif-feed bordered></notif-feed>', look: () => feed(storeOf(never)), name: 'Loading' },
      {
        code: '<notif-feed bordered><p slot="empty">Nothing yet</p></notif-feed>',
        look: () => feed(world().store),
        name: 'Empty'
      },
      {
        code: '<notif-feed bordered><p slot="error">Call us: 04 55</p></notif-feed>',
        look: () => feed(storeOf(away)),
        name: 'Failed'
      },
      {
        code: 'store.$connection.get()\n// { state: "offline" }',
        look: () => feed(offline()),
        name: 'Offline'
      },
      {
        code: '<notif-feed bordered pagination="INFINITE_SCROLL" loading></notif-feed>',
        look: () => feed(some(2), { loading: true, pagination: 'INFINITE_SCROLL' }),
        name: 'Loading more',
        span: 6
      }
    ]
  },
  {
    name: 'Preferences',
    states: [
      {
        code: '<notif-preferences></notif-preferences>',
        look: () => preferences(choosing()),
        name: 'Preferences',
        span: 6
      },
      {
        code: 'const { quiet } = store.$preferences.get()\n\nstore.updateSettings({ channels: { SMS: { on: false } } })',
        look: () => preferences(world({ preferences: harbourSettings() }).store),
        name: 'Groups, channels and quiet hours',
        span: 6
      },
      {
        code: 'store.updateSettings({ pause: { isOn: true } })',
        look: () =>
          preferences(world({ preferences: harbourSettings({ pause: { isOn: true, until: null } }) }).store),
        name: 'Paused'
      },
      {
        code: 'aside {\n  inline-size: 420px;\n}',
        look: () => preferences(choosing()),
        name: 'Preferences in a column'
      },
      {
        code: '<notif-preferences-popup></notif-preferences-popup>\n\ndocument.querySelector("notif-preferences-popup").show()',
        look: () =>
          html`<button @click=${openNext}>Open</button>
            <notif-preferences-popup ${given({ store: choosing() })}></notif-preferences-popup>`,
        name: 'Preferences as a dialog',
        span: 6
      },
      {
        code: '<notif-preferences></notif-preferences>',
        look: () => preferences(storeOf(never)),
        name: 'Preferences on their way',
        span: 2
      },
      {
        code: '<notif-preferences></notif-preferences>',
        look: () => preferences(world().store),
        name: 'No preferences',
        span: 2
      },
      {
        code: '<notif-preferences></notif-preferences>',
        look: () => preferences(storeOf(away)),
        name: 'Preferences that did not load',
        span: 2
      }
    ]
  }
]
