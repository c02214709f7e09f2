// The list: days, rows, and what stands at its end.

import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'

import type { Notif } from '../protocol/index.ts'
import { oneOf } from './check.ts'
import { startOfDay } from './formats.ts'
import type { Inbox } from './inbox.ts'
import { itemTemplate } from './item-template.ts'
import { onFeedKey } from './keyboard.ts'
import { menuTemplate, openMenu } from './menu.ts'
import type { Answer } from './rows.ts'
import { bones, endTemplate } from './states-template.ts'

interface Row {
  readonly key: string
  readonly item: Notif
  readonly index: number
}
type Entry = Row | { readonly key: string; readonly day: string }

// Dates are ISO texts, so they compare without being parsed: a thousand rows cost nothing.
function entries({ rows }: Answer, { clock, formats, words }: Inbox): readonly Entry[] {
  const today = startOfDay(clock.now).toISOString()
  const yesterday = startOfDay(clock.now, 1).toISOString()
  const list: Entry[] = []
  let last: string | undefined
  for (const [index, item] of rows.entries()) {
    const day =
      item.date >= today ? words.today : item.date >= yesterday ? formats.yesterday() : words.earlier
    if (day !== last && item.date) list.push({ day, key: `day ${day}` })
    last = day
    list.push({ index, item, key: item.id })
  }
  return list
}

function row(inbox: Inbox, { first, total }: Answer, { index, item }: Row, minute: number): unknown {
  const { arrived, broken, coarse, host, words } = inbox
  const unread = inbox.seen.isUnread(item)
  const fresh = arrived.has(item.id)
  // Whatever a row is made of, except its number: that changes for all of them with every arrival (see Numbers).
  const made = [
    item,
    unread,
    fresh,
    minute,
    words,
    host.language.lang,
    host.newTab,
    coarse,
    broken.size,
    inbox.extra
  ]
  return guard(made, () =>
    itemTemplate(inbox, { fresh, item, position: first + index + 1, size: total ?? -1, unread })
  )
}

/** One set of listeners for all rows. */
function listeners(inbox: Inbox): {
  click: (event: Event) => void
  key: (event: KeyboardEvent) => void
  greeted: (event: AnimationEvent) => void
  pointed: (event: Event) => void
  broken: { handleEvent(event: Event): void; capture: true }
} {
  const itemAt = (place: Element | null | undefined): Notif | undefined => {
    const id = place?.closest('article')?.id
    return inbox.view?.rows.find(item => item.id === id)
  }
  const choose = (item: Notif, row: Element): void => {
    const link = row.querySelector<HTMLAnchorElement>('a[href]')
    if (link) link.click()
    else inbox.select(item)
  }
  return {
    broken: {
      capture: true,
      handleEvent({ target }) {
        if (!(target instanceof HTMLImageElement)) return
        inbox.broken.add(target.getAttribute('src') ?? '')
        inbox.host.requestUpdate()
      }
    },
    click(event) {
      const target = event.target as Element
      const item = itemAt(target)
      if (!item) return
      const button = target.closest<HTMLElement>('[data-act]')
      if (button) return onAction(inbox, item, button)
      if (!inbox.select(item)) event.preventDefault()
      else if (target.closest('a[href]') && !inbox.host.newTab) inbox.host.followed()
    },
    greeted({ animationName, target }) {
      if (animationName !== 'wash') return
      inbox.arrived.delete((target as Element).id)
      inbox.host.requestUpdate()
    },
    // The full date is wanted by few and costs as much as the rest of a row.
    pointed({ target }) {
      const time = (target as Element).closest<HTMLTimeElement>('time')
      if (time) time.title = inbox.formats.full(new Date(time.dateTime))
    },
    key: event =>
      onFeedKey(event, row => {
        const item = itemAt(row)
        if (item) choose(item, row)
      })
  }
}

function onAction(inbox: Inbox, item: Notif, button: HTMLElement): void {
  const action = button.dataset['act']
  if (action !== 'more') return inbox.act(action as Parameters<Inbox['act']>[0], item)
  openMenu(inbox, item, button)
}

const SHAPES = ['circle', 'square'] as const
const known = new WeakMap<Inbox, ReturnType<typeof listeners>>()

export function listTemplate(inbox: Inbox, view: Answer): TemplateResult {
  const { host } = inbox
  const busy = inbox.loading.state === 'busy'
  if (!known.has(inbox)) known.set(inbox, listeners(inbox))
  const on = known.get(inbox)!
  const minute = Math.floor(inbox.clock.now / 60_000)
  return html`<div
      class="items ${inbox.coarse ? 'coarse' : ''}"
      part="feed"
      role="feed"
      aria-label=${inbox.words.title}
      aria-busy=${busy}
      data-shape=${oneOf(host, 'imageShape', host.imageShape, SHAPES, 'circle')}
      @click=${on.click}
      @keydown=${on.key}
      @pointerover=${on.pointed}
      @animationend=${on.greeted}
      @error=${on.broken}
    >
      ${repeat(
        inbox.blocks.cut(entries(view, inbox)),
        ([number]) => number,
        ([, block]) =>
          html`<div class="block">
            ${repeat(
              block,
              ({ key }) => key,
              entry =>
                'day' in entry
                  ? html`<div class="day" part="day" aria-hidden="true">${entry.day}</div>`
                  : row(inbox, view, entry, minute)
            )}
          </div>`
      )}
    </div>
    ${busy && (view.more || inbox.options.loading) && !inbox.paged ? bones(2) : nothing}${endTemplate(inbox, view)}${inbox.coarse ? menuTemplate(inbox, view) : nothing}`
}
