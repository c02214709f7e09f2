// The list: days, rows, and what stands at its end.

import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { validateChoice } from '../../core/validate.ts'
import type { Notif } from '../../protocol/index.ts'
import type { Inbox } from '../controller.ts'
import { itemTemplate } from '../item/item.ts'
import { menuTemplate, openMenu } from '../menu/menu.ts'
import { onFeedKey } from './keyboard.ts'
import { entries, type Entry } from './list-entries.ts'
import type { Answer } from './select-rows.ts'
import { skeleton, endTemplate } from './states.ts'

/**
 * @param made - of what the rows of every block are made
 * @param near - its rows have their buttons
 */
function block(
  inbox: Inbox,
  list: readonly Entry[],
  made: readonly unknown[],
  near: boolean
): TemplateResult {
  // Whatever a row is made of, except its number: that changes for all of them with every arrival (see Numbers).
  const own = list.flatMap((entry): unknown[] =>
    'day' in entry ? [entry.day] : [entry.item, entry.fresh, entry.unread]
  )
  // Shift+Tab comes from below: the last row is whole before anything of its block is seen.
  return html`<div class="block">
    ${guard([...made, near, ...own], () =>
      repeat(
        list,
        ({ key }) => key,
        entry =>
          'day' in entry
            ? html`<div class="day" part="day" aria-hidden="true">${entry.day}</div>`
            : itemTemplate(inbox, entry, near || entry === list.at(-1))
      )
    )}
  </div>`
}

/** What the list hears of its rows. */
interface Listeners {
  click: (event: MouseEvent) => void
  key: (event: KeyboardEvent) => void
  greeted: (event: AnimationEvent) => void
  passed: (event: ContentVisibilityAutoStateChangeEvent) => void
  pointed: (event: Event) => void
  broken: { handleEvent(event: Event): void; capture: true }
}

/** One set of listeners for all rows. */
function listeners(inbox: Inbox): Listeners {
  const itemAt = (place: Element): Notif | undefined => {
    const id = place.closest('article')?.id
    return inbox.view?.rows.find(item => item.id === id)
  }
  return {
    broken: {
      capture: true,
      handleEvent({ target }) {
        inbox.broken.add((target as Element).getAttribute('src'))
        inbox.host.requestUpdate()
      }
    },
    click(event) {
      const target = event.target as Element
      const item = itemAt(target)
      const link = target.closest('a[href]')
      // The middle button of a mouse follows a link, too, into a tab of its own.
      if (!item || event.button > (link ? 1 : 0)) return
      const button = target.closest<HTMLElement>('[data-act]')
      const action = button?.dataset['act']
      if (action === 'more') return openMenu(inbox, item, button!)
      if (action) return inbox.act(action as Parameters<Inbox['act']>[0], item)
      if (!inbox.select(item)) event.preventDefault()
      else if (link && !event.button && !inbox.host.newTab) inbox.host.followed()
    },
    greeted({ animationName, target }) {
      if (animationName !== 'wash') return
      inbox.arrived.delete((target as Element).id)
      inbox.host.requestUpdate()
    },
    passed({ skipped, target }) {
      const row = (target as Element).querySelector('article')
      if (inbox.blocks.hear(row?.id, skipped)) inbox.host.requestUpdate()
    },
    // The full date is wanted by few and costs as much as the rest of a row.
    pointed({ target }) {
      const time = (target as Element).closest<HTMLTimeElement>('time')
      if (time) time.title = inbox.formats.full(new Date(time.dateTime))
    },
    // A click on the row is heard above.
    key: event => onFeedKey(event, row => (row.querySelector<HTMLAnchorElement>('a[href]') ?? row).click())
  }
}

const SHAPES = ['circle', 'square'] as const

export function listTemplate(inbox: Inbox, view: Answer): TemplateResult {
  const { host } = inbox
  const busy = inbox.loading.state === 'busy'
  const on = listeners(inbox)
  const minute = Math.floor(inbox.clock.now / 60_000)
  const made = [
    minute,
    inbox.words,
    host.language.lang,
    host.newTab,
    inbox.coarse,
    inbox.broken.size,
    inbox.extra
  ]
  const lists = inbox.blocks.cut(entries(view, inbox))
  // Also beside what is near: a screen reader goes from button to button, and would jump over rows that have none. Blocks
  // of cards have no box, so nobody is told that they are seen.
  const isNear = (index: number): boolean =>
    !!inbox.options.grid || [-1, 0, 1].some(by => inbox.blocks.near.has(lists[index + by]!))
  return html`<div
      class="items ${inbox.coarse ? 'coarse' : ''}"
      part="feed"
      role="feed"
      aria-label=${inbox.words.title}
      aria-busy=${busy}
      data-shape=${validateChoice(host, 'imageShape', host.imageShape, SHAPES)}
      @click=${on.click}
      @auxclick=${on.click}
      @keydown=${on.key}
      @pointerover=${on.pointed}
      @animationend=${on.greeted}
      @error=${on.broken}
      @contentvisibilityautostatechange=${on.passed}
    >
      ${repeat(
        lists,
        list => list,
        (list, index) => block(inbox, list, made, isNear(index))
      )}
    </div>
    ${busy && (view.more || inbox.options.loading) && !inbox.paging ? skeleton(2) : nothing}${endTemplate(inbox, view)}${inbox.coarse ? menuTemplate(inbox, view) : nothing}`
}
