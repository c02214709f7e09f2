// Every parameter of every element that shows notifications: how it is set, and what is wrong for it.

import { html } from 'lit'

import type { Notif } from '../../../components/index.ts'

export interface Parameter {
  readonly name: string
  /** Made anew for each element: a node can stand in one place only. */
  readonly value: () => unknown
  /** The same as an attribute; absent: there is none. */
  readonly text?: string
  /** Taken for the default, with one warning. */
  readonly wrong?: unknown
  /** Other parameters that it needs to show anything. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** Seen at a bell that nobody has opened. */
  readonly closed?: true
  /** There is nothing to count. */
  readonly empty?: true
}

const title = ({ title }: Notif): string => `– ${title}`
const pages = { pageSize: 3, pagination: 'PAGINATED' }

const inbox: readonly Parameter[] = [
  { name: 'filter', text: 'UNARCHIVED', value: () => 'UNARCHIVED', wrong: 'SOME' },
  { name: 'filter', value: () => (item: Notif) => item.type === 'invoice' },
  { name: 'header', text: 'Post', value: () => ({ title: 'Post' }), wrong: 5 },
  { name: 'header', text: 'none', value: () => false },
  { name: 'header', value: () => html`<h2>Own</h2>`, wrong: true },
  { name: 'imageShape', text: 'square', value: () => 'square', wrong: 'oval' },
  { name: 'keyboard', text: 'off', value: () => 'off', wrong: 'none' },
  { name: 'newTab', text: '', value: () => true },
  { name: 'unread', text: 'seen', value: () => 'seen', wrong: 'new' },
  { beside: pages, name: 'pagePosition', text: 'bottom', value: () => 'bottom', wrong: 'middle' },
  { beside: { pagination: 'PAGINATED' }, name: 'pageSize', text: '4', value: () => 4, wrong: -3 },
  { beside: { pagination: 'PAGINATED' }, name: 'pageSize', value: () => 4, wrong: 'many' },
  // Templates of React and Svelte set a text as the property.
  { beside: { pagination: 'PAGINATED' }, name: 'pageSize', value: () => '4', wrong: ' ' },
  { name: 'pagination', value: () => ({ pageSize: 2, position: 'bottom' }), wrong: 'PAGES' },
  { name: 'renderItem', value: () => title, wrong: 'title' },
  { name: 'renderers', value: () => ({ notification: title }), wrong: 3 },
  { name: 'renderers', value: () => ({ extra: title }) }
]

const bell: readonly Parameter[] = [
  ...inbox,
  { name: 'buttonHeight', text: '61', value: () => 61, wrong: Number.NaN },
  { name: 'buttonIconSize', text: '31', value: () => 31, wrong: -2 },
  { name: 'buttonWidth', text: '71', value: () => 71, wrong: 'wide' },
  {
    name: 'count',
    text: 'COUNT_UNARCHIVED_NOTIFICATIONS',
    value: () => 'COUNT_UNARCHIVED_NOTIFICATIONS',
    wrong: 'COUNT_ALL'
  },
  { name: 'count', value: () => (item: Notif) => item.type === 'invoice' },
  { name: 'iconColor', text: 'tomato', value: () => 'tomato', wrong: 'tomatoe' },
  { beside: { pageSize: 3 }, name: 'pagination', text: 'PAGINATED', value: () => 'PAGINATED' },
  {
    name: 'popoverPosition',
    text: 'top left',
    value: () => ({ anchorOrigin: { horizontal: 'left', vertical: 'top' } }),
    wrong: 'under it'
  },
  {
    name: 'popoverPosition',
    value: () => ({ anchorOrigin: { horizontal: 'right', vertical: 'bottom' } }),
    wrong: 7
  },
  { name: 'popupHeight', text: '400', value: () => 400, wrong: 'high' },
  { name: 'popupHeight', text: '50vh', value: () => '50vh' },
  { name: 'popupWidth', text: '333px', value: () => '333px', wrong: 'wide' },
  { closed: true, name: 'unreadBadgeProps', value: () => ({ dot: true }), wrong: 'dot' },
  { closed: true, name: 'unreadBadgeProps', value: () => ({ max: 2 }), wrong: { max: 0 } },
  {
    closed: true,
    name: 'unreadBadgeProps',
    value: () => ({ bubbleColor: 'tomato', fontColor: 'black', offset: { top: 3 } }),
    wrong: { bubbleColor: 'tomatoe' }
  },
  {
    closed: true,
    name: 'unreadBadgeProps',
    value: () => ({ offset: { left: 3 } }),
    wrong: { offset: 'far' }
  },
  { closed: true, name: 'unreadBadgeProps', value: () => ({ offset: { left: 4 } }), wrong: { offset: 7 } },
  { empty: true, name: 'unreadBadgeProps', value: () => ({ showZero: true }) }
]

const own = [{ body: 'Two', key: 'b', title: 'One' }, { key: 'a', title: 'Three' }, 'Four']

export const PARAMETERS: Readonly<Record<string, readonly Parameter[]>> = {
  counter: [
    { name: 'bubbleColor', text: 'tomato', value: () => 'tomato', wrong: 'tomatoe' },
    {
      name: 'count',
      text: 'COUNT_UNARCHIVED_NOTIFICATIONS',
      value: () => 'COUNT_UNARCHIVED_NOTIFICATIONS',
      wrong: 'ALL'
    },
    { name: 'count', value: () => (item: Notif) => item.type === 'invoice' },
    { name: 'dot', text: '', value: () => true },
    { name: 'fontColor', text: '#123', value: () => '#123', wrong: '#12' },
    { name: 'max', text: '2', value: () => 2, wrong: 'many' },
    { name: 'max', value: () => 3, wrong: -1 },
    { name: 'offset', value: () => ({ left: 4, top: 2 }), wrong: { left: 'far' } },
    { name: 'offset', value: () => ({ right: 4 }), wrong: 'far' },
    { empty: true, name: 'showZero', text: '', value: () => true }
  ],
  feed: [
    ...inbox,
    { name: 'bordered', text: '', value: () => true },
    { name: 'dataSource', value: () => own, wrong: 'own' },
    { name: 'footer', text: 'The end', value: () => 'The end' },
    { name: 'footer', value: () => (element: HTMLElement) => element.append('Drawn') },
    { name: 'grid', text: '2', value: () => ({ column: 2 }), wrong: 'two' },
    { name: 'grid', text: '', value: () => ({}) },
    { name: 'infiniteScrollHeight', text: '300', value: () => 300, wrong: 0 },
    { name: 'itemLayout', text: 'vertical', value: () => 'vertical', wrong: 'diagonal' },
    { name: 'loading', text: '', value: () => true },
    { name: 'loadMore', value: () => html`<button>More</button>` },
    { empty: true, name: 'locale', value: () => ({ emptyText: 'Leer' }), wrong: 'de' },
    { beside: { pageSize: 3 }, name: 'pagination', text: 'INFINITE_SCROLL', value: () => 'INFINITE_SCROLL' },
    { beside: { pageSize: 3 }, name: 'pagination', value: () => false },
    { beside: { dataSource: own }, name: 'rowKey', text: 'key', value: () => 'key', wrong: 4 },
    {
      beside: { dataSource: own },
      name: 'rowKey',
      value: () => (item: { title?: string }) => `k${item.title}`
    },
    { name: 'size', text: 'small', value: () => 'small', wrong: 'tiny' },
    { name: 'size', text: 'large', value: () => 'large' },
    { name: 'split', text: '', value: () => true },
    { name: 'styles', value: () => ({ title: { color: 'tomato', fontSize: 19 } }), wrong: 'title' },
    { name: 'styles', value: () => ({ body: null, title: { color: 'tomato' } }), wrong: { title: 'tomato' } }
  ],
  launcher: [
    // The rest is the popup's own.
    { name: 'offsetX', text: '41', value: () => 41, wrong: 'left' },
    { name: 'offsetY', text: '10%', value: () => '10%', wrong: 'down' },
    { name: 'popupZIndex', text: '7', value: () => 7, wrong: 'front' },
    { name: 'position', text: 'TOP_LEFT', value: () => 'TOP_LEFT', wrong: 'MIDDLE' },
    {
      closed: true,
      name: 'unreadBadgeProps',
      value: () => ({ offset: { top: 3 } }),
      wrong: { offset: 'far' }
    }
  ],
  popup: bell
}
