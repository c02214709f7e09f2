// Forms of the list: pages, sizes, cards, foreign words and content of the page.

import { html } from 'lit'

import type { NotifStore } from '../../components/index.ts'
import { harbour, many, world } from '../harbour.ts'
import { feed, type Group } from './state.ts'

const some = (count: number): NotifStore => world({ items: harbour().slice(-count) }).store

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

export const listGroup: Group = {
  name: 'Lists',
  states: [
    {
      code: { Element: '<notif-feed bordered page-size="4"></notif-feed>' },
      look: () => feed(world({ items: [...many(30, 0), ...harbour()] }).store),
      name: 'Pages on top',
      size: 'half'
    },
    {
      code: { Element: '<notif-feed bordered page-size="4" page-position="bottom"></notif-feed>' },
      look: () => feed(world({ items: many(30, 2) }).store, { pagePosition: 'bottom' }),
      name: 'Pages at the end',
      size: 'half'
    },
    {
      code: { Element: '<notif-feed size="small"></notif-feed>' },
      look: () => feed(some(4), { bordered: false, size: 'small' }),
      name: 'Small',
      size: 'half'
    },
    {
      code: { Element: '<notif-feed bordered size="large" split image-shape="square" new-tab></notif-feed>' },
      look: () => feed(some(4), { imageShape: 'square', newTab: true, size: 'large', split: true }),
      name: 'Large, split, square, new tab',
      size: 'half'
    },
    {
      code: { Element: '<notif-feed bordered split item-layout="vertical"></notif-feed>' },
      look: () => feed(some(3), { itemLayout: 'vertical', split: true }),
      name: 'Vertical',
      size: 'half'
    },
    {
      code: { Element: '<notif-feed bordered></notif-feed>' },
      look: () => feed(world({ items: [arabic, german] }).store),
      name: 'Long and foreign words',
      size: 'half'
    },
    {
      code: {
        Page: "feed.footer = 'All notifications'\nfeed.loadMore = html`<button>Show older ones</button>`\nfeed.renderers = {\n  extra: ({ type }) => html`<button>About ${type}</button>`\n}"
      },
      look: () =>
        feed(some(3), {
          footer: 'All notifications',
          loadMore: html`<button>Show older ones</button>`,
          renderers: { extra: ({ type }) => html`<button>About ${type}</button>` }
        }),
      name: 'Own rows, extra, footer, more',
      size: 'half'
    },
    {
      code: {
        Page: "feed.header = { title: 'Departures' }\nfeed.styles = { title: { fontStyle: 'italic' } }\nfeed.dataSource = [\n  'Heron leaves at 14:30',\n  { title: 'Kite leaves at 15:00', body: 'Pier 4' }\n]"
      },
      look: () =>
        feed(world().store, {
          dataSource: ['Heron leaves at 14:30', { body: 'Pier 4', title: 'Kite leaves at 15:00' }],
          header: { title: 'Departures' },
          styles: { title: { fontStyle: 'italic' } }
        }),
      name: 'A list of the page',
      size: 'half'
    },
    {
      code: { Page: 'feed.grid = {}\nfeed.header = false' },
      look: () => feed(some(6), { bordered: false, grid: {}, header: false, pageSize: 6 }),
      name: 'Cards',
      size: 'whole'
    }
  ]
}
