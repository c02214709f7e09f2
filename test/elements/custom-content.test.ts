// Custom content of the page in every slot and by every renderer, and the sound.

import { expect } from '@open-wc/testing'
import { sendMouse } from '@web/test-runner-commands'
import { html } from 'lit'

import type { Notif, NotifProvider } from '../../components/index.ts'
import { harbour, many, world } from './support/harbour.ts'
import {
  allInside,
  hearing,
  inside,
  rows,
  rowsShown,
  settled,
  show,
  titles,
  type NotifFeed,
  waitUntil
} from './support/page.ts'

const feedOf = (options: Partial<NotifFeed>): Promise<NotifFeed> =>
  show<NotifFeed>('<notif-feed></notif-feed>', element => Object.assign(element, options))

const nameOfBell = (element: Element): string => {
  const bell = inside(element, '.bell')
  return bell?.ariaLabel ?? bell?.title ?? ''
}

describe('custom content', () => {
  it('shows the default content if a renderer throws, and reports the error once', async () => {
    const { store } = world({ items: harbour() })
    await hearing(async heard => {
      const feed = await feedOf({
        renderItem({ title, type }) {
          if (type !== 'invoice') throw new TypeError('invoices only')
          return title
        },
        renderers: {
          extra(item, element) {
            element.append(item.id)
            return () => {
              throw new TypeError('cannot go')
            }
          }
        },
        store
      })
      await rowsShown(feed, 9)
      await settled(feed)
      expect(feed.querySelectorAll('[slot^=item-]').length).to.equal(1)
      expect(allInside(feed, '.title').filter(title => title.checkVisibility()).length).to.equal(8)
      feed.remove()
      await waitUntil(() => new Set(heard).size === 2)
      expect(new Set(heard)).to.deep.equal(new Set(['TypeError: invoices only', 'TypeError: cannot go']))
      expect(heard.filter(one => one === 'TypeError: invoices only').length).to.equal(1)
      expect(feed.children.length, 'and all of it is taken away').to.equal(0)
    })
  })

  it('shows the default content while a renderer returns false', async () => {
    const { inbox, store } = world({ items: harbour() })
    const feed = await feedOf({ renderItem: ({ opened, title }) => !opened && `New: ${title}`, store })
    await rowsShown(feed, 9)
    const own = (): number => feed.querySelectorAll('[slot^=item-]').length
    await waitUntil(() => own() === 4)
    inbox.patch({ opened: new Date().toISOString(), trackingIds: ['h8'] })
    await waitUntil(() => own() === 3)
    expect(inside(feed, '#h8 .title')!.checkVisibility()).to.equal(true)
  })

  it('shows the default text if a text of the page throws or has a wrong type, and reports it once', async () => {
    const { store } = world({ items: harbour() })
    const { warn } = console
    const warnings: string[] = []
    await hearing(async heard => {
      console.warn = (text: string) => void warnings.push(text)
      const provider = await show<NotifProvider>(
        '<notif-provider><notif-popup></notif-popup></notif-provider>',
        element =>
          Object.assign(element, {
            messages: {
              bellNew: () => {
                throw new TypeError('cannot count')
              },
              more: undefined,
              title: () => 'A function',
              unread: 'Fresh'
            },
            store
          })
      )
      const popup = provider.querySelector('notif-popup')!
      await waitUntil(() => /^Notifications, \d new$/.test(nameOfBell(popup)))
      inside<HTMLButtonElement>(popup, '.bell')!.click()
      await rowsShown(popup, 9)
      expect(inside(popup, '.heading')!.textContent).to.equal('Notifications')
      expect(allInside(popup, '.tab')[1]!.textContent).to.contain('Fresh')
      await waitUntil(() => warnings.length > 0 && heard.length > 0)
      expect(warnings.length).to.equal(1)
      expect(warnings[0]).to.match(
        /^<notif-popup> messages.title: expected a string, got .*; the default is used\.$/
      )
      expect(heard).to.deep.equal(['TypeError: cannot count'])
    })
    console.warn = warn
  })

  it('shows the default text if a text of the list throws or has a wrong type', async () => {
    const { store } = world({ items: harbour() })
    const { warn } = console
    const warnings: string[] = []
    await hearing(async heard => {
      console.warn = (text: string) => void warnings.push(text)
      const locale = {
        page: (n: string): string => {
          throw new TypeError(`no page ${n}`)
        },
        title: 7 as unknown as string,
        unread: 'Fresh'
      }
      const feed = await feedOf({ locale, pageSize: 5, store })
      await rowsShown(feed, 5)
      expect(inside(feed, '.page')!.ariaLabel).to.equal('Page 1')
      expect(inside(feed, '.heading')!.textContent).to.equal('Notifications')
      expect(allInside(feed, '.tab')[1]!.textContent).to.contain('Fresh')
      await waitUntil(() => warnings.length > 0 && heard.length > 0)
      expect(warnings).to.deep.equal([
        '<notif-feed> locale.title: expected a string, got 7; the default is used.'
      ])
      expect(heard).to.deep.equal(['TypeError: no page 1'])
    })
    console.warn = warn
  })

  it('shows items for which a filter throws, and uses the index if a key function throws', async () => {
    const { inbox, store } = world({ items: harbour() })
    await hearing(async heard => {
      const feed = await feedOf({
        filter({ type }) {
          if (type === 'invoice') throw new TypeError('what is that?')
          return type === 'task'
        },
        store
      })
      await rowsShown(feed, 2)
      inbox.add({ title: 'Another one', type: 'task' })
      await rowsShown(feed, 3)
      await feedOf({
        dataSource: [{ title: 'One' }, { title: 'Two' }],
        rowKey() {
          throw new TypeError('no keys')
        }
      }).then(list => rowsShown(list, 2))
      // The code that reports errors is loaded first.
      await waitUntil(() => heard.length > 1)
      expect(heard).to.deep.equal(['TypeError: what is that?', 'TypeError: no keys'])
    })
  })

  it('skips cards outside the window, and does not clip custom content in cards', async () => {
    const dataSource = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, title: 'A card' }))
    const feed = await feedOf({ dataSource, grid: { column: 1 }, pagination: 'INFINITE_SCROLL' })
    await rowsShown(feed, 100)
    const isDrawn = (index: number): boolean =>
      rows(feed).at(index)!.querySelector('.title')!.checkVisibility({ contentVisibilityAuto: true })
    await waitUntil(() => isDrawn(0) && !isDrawn(-1))
    feed.renderItem = ({ title }) => title
    await settled(feed)
    await waitUntil(() => getComputedStyle(rows(feed).at(-1)!).contentVisibility === 'visible')
  })

  it('renders a changed item again, and removes what a renderer rendered itself', async () => {
    const { inbox, store } = world({ items: harbour() })
    const gone: string[] = []
    const feed = await feedOf({
      renderItem({ id, opened }, element) {
        element.append(opened ? 'read' : 'new')
        return () => void gone.push(id)
      },
      store
    })
    await rowsShown(feed, 9)
    const content = (): string => feed.querySelector('[slot=item-h8]')?.textContent ?? ''
    await waitUntil(() => content() === 'new')
    inbox.patch({ opened: new Date().toISOString(), trackingIds: ['h8'] })
    await waitUntil(() => content() === 'read', `drawn: ${content()}`)
    expect(gone).to.deep.equal(['h8'])
    expect(feed.querySelectorAll('[slot=item-h8]').length).to.equal(1)
  })

  it('removes custom content also if the list is removed during an update', async () => {
    let mounted = 0
    const { store } = world({ items: harbour() })
    const feed = await feedOf({
      renderItem() {
        mounted++
        return () => void mounted--
      },
      store
    })
    await waitUntil(() => mounted === harbour().length)
    feed.requestUpdate()
    feed.remove()
    await settled(feed)
    expect(mounted).to.equal(0)
    document.querySelector('.test-place')!.append(feed)
    await waitUntil(() => mounted === harbour().length, 'and draws it again when it is back')
  })

  it('has a slot below each row that lies above its link', async () => {
    const { store } = world({ items: harbour() })
    const pressed: string[] = []
    const feed = await feedOf({
      renderers: { extra: ({ id }: Notif) => html`<button @click=${() => pressed.push(id)}>Reply</button>` },
      store
    })
    await rowsShown(feed, 9)
    await waitUntil(() => feed.querySelector('[slot=extra-h8] button'))
    const button = feed.querySelector<HTMLElement>('[slot=extra-h8] button')!
    const { left, top } = button.getBoundingClientRect()
    await sendMouse({ position: [Math.round(left + 5), Math.round(top + 5)], type: 'click' })
    await waitUntil(() => pressed.length === 1)
    expect(pressed).to.deep.equal(['h8'])
    expect(location.hash).to.equal('')
  })

  it('opens the items of a list of the page once, and keeps showing which are new', async () => {
    const mistakes: unknown[] = []
    const feed = await feedOf({ dataSource: [{ title: 'One' }, { title: 'Two' }] })
    feed.addEventListener('notif-error', ({ detail }) => mistakes.push(detail.error))
    feed.markOpened = true
    await settled(feed)
    await settled(feed)
    expect(mistakes).to.deep.equal([])
    expect(rows(feed).filter(row => row.hasAttribute('data-unread')).length).to.equal(2)
  })

  it('loads more by a button of the page, unless its click is prevented', async () => {
    const { store } = world({ items: many(60) }, 20)
    const feed = await feedOf({
      loadMore: html`<button>Older ones</button>`,
      pagination: 'INFINITE_SCROLL',
      store
    })
    await rowsShown(feed, 20)
    await settled(feed)
    expect(rows(feed).length).to.equal(20)
    const button = feed.querySelector('button')!
    button.click()
    await rowsShown(feed, 40)
    button.addEventListener('click', event => event.preventDefault(), { once: true })
    button.click()
    await settled(feed)
    expect(rows(feed).length).to.equal(40)
    button.click()
    await rowsShown(feed, 60)
    await waitUntil(() => !button.checkVisibility(), 'nothing is left to load')
    feed.dataSource = many(3)
    await waitUntil(() => button.checkVisibility(), 'the page knows whether its own list has more')
  })

  it('lists items of the page, passes them to the renderer, and keeps the actions of the user', async () => {
    const boats = [{ boat: 'Heron' }, { boat: 'Kite' }, { boat: 'Tern' }]
    const drawn: unknown[] = []
    const { store } = world({ items: harbour() })
    const feed = await feedOf({ dataSource: boats, rowKey: 'boat', store })
    await rowsShown(feed, 3)
    feed.renderItem = item => {
      drawn.push(item)
      return 'x'
    }
    await waitUntil(() => drawn.length === 3)
    expect(drawn.every((item, index) => item === boats[index])).to.equal(true)
    rows(feed)[1]!.querySelector<HTMLElement>('[data-act=archive]')!.click()
    await rowsShown(feed, 2)
    expect(rows(feed).map(({ id }) => id)).to.deep.equal(['Heron', 'Tern'])
    feed.renderItem = undefined
    feed.dataSource = ['One', 'Two']
    await waitUntil(() => titles(feed).join() === 'One,Two')
    expect(allInside(feed, '.day').length).to.equal(0)
    feed.dataSource = undefined
    await rowsShown(feed, 9)
    expect(inside(feed, '.heading')!.textContent).to.equal('Notifications')
  })
})

describe('sound', () => {
  it('is off by default, and plays if it is turned on and the user has used the page', async () => {
    const { Audio, AudioContext } = window
    let made = 0
    const files: (string | undefined)[] = []
    window.Audio = class extends Audio {
      constructor(path?: string) {
        super(path)
        files.push(path)
      }
    }
    window.AudioContext = class extends AudioContext {
      constructor() {
        super()
        made += 1
      }
    }
    try {
      const { inbox, store } = world()
      const provider = await show<NotifProvider>(
        '<notif-provider><notif-counter></notif-counter></notif-provider>',
        element => (element.store = store)
      )
      await waitUntil(
        () => store.$loading.get().state === 'ready' || store.$connection.get().state === 'online'
      )
      await sendMouse({ position: [5, 5], type: 'click' })
      expect(navigator.userActivation.hasBeenActive).to.equal(true)
      const spoken = (text: string): boolean =>
        [...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent!.includes(text))
      inbox.add({ title: 'Silent' })
      await waitUntil(() => spoken('Silent'))
      expect(made).to.equal(0)
      provider.playSoundOnNewNotification = true
      inbox.add({ title: 'Loud' })
      await waitUntil(() => made === 1)
      expect(files).to.deep.equal([])
      provider.newNotificationSoundPath = '/test/no-such-sound.mp3'
      inbox.add({ title: 'Of the page' })
      await waitUntil(() => files.length === 1)
      expect(files).to.deep.equal(['/test/no-such-sound.mp3'])
      expect(made).to.equal(1)
    } finally {
      Object.assign(window, { Audio, AudioContext })
    }
  })
})
