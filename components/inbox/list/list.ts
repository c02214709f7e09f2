// The list: headings of days, rows, and what follows the last row.

import { guard } from 'lit/directives/guard.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { validateChoice } from '../../core/validate.ts'
import { repeat } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'
import { renderItem } from '../item/item.ts'
import { renderSkeleton } from './empty-state.ts'
import type { RowFocus } from './focus.ts'
import { renderListEnd } from './list-end.ts'
import { createListEntries, type ListEntry } from './list-entries.ts'
import type { RowGroups } from './row-groups.ts'
import { createRowListeners } from './row-listeners.ts'

interface ListInbox extends InboxView {
  readonly rowFocus: RowFocus
  readonly rowGroups: RowGroups<ListEntry>
}

/**
 * @param dependencies - of the rows of every group: if one of them changes, all rows are rendered again
 * @param hasButtons - the rows have their buttons
 */
function renderGroup(
  inbox: InboxView,
  entries: readonly ListEntry[],
  dependencies: readonly unknown[],
  hasButtons: boolean
): TemplateResult {
  // Without the position, which changes for all rows with every arrival: AriaPositions sets it later.
  const own = entries.flatMap((entry): unknown[] =>
    'day' in entry
      ? [entry.day]
      : 'line' in entry
        ? [entry.line]
        : [entry.item, entry.isNew, entry.isSinceLook, entry.isUnread]
  )
  // The last row always has its buttons: Shift+Tab from below reaches it before the browser reports its group.
  return html`<div class="block">
    ${guard([...dependencies, hasButtons, ...own], () =>
      repeat(
        entries,
        ({ key }) => key,
        entry =>
          'day' in entry
            ? html`<div class=${entry.isNew ? 'day new' : 'day'} part="day" aria-hidden="true">
                ${entry.day}
              </div>`
            : 'line' in entry
              ? inbox.undoing.lines!.render(entry.line)
              : renderItem(inbox, entry, hasButtons || entry === entries.at(-1))
      )
    )}
  </div>`
}

const SHAPES = ['circle', 'square'] as const

export function renderList(inbox: ListInbox, view: ListView): TemplateResult {
  const { brokenImages, hasCoarsePointer, hasExtra, host, messages, options, rowGroups } = inbox
  const isBusy = inbox.loading.state === 'busy'
  const on = createRowListeners(inbox)
  const minute = Math.floor(inbox.now / 60_000)
  const dependencies = [
    minute,
    messages,
    host.language.lang,
    host.newTab,
    hasCoarsePointer,
    brokenImages.size,
    hasExtra,
    inbox.extras?.revision
  ]
  const groups = rowGroups.group(createListEntries(view, inbox))
  // Also the groups beside: screen readers go from button to button and would skip rows without them. The groups of a grid have
  // no box, so the browser does not report them.
  const isNear = (index: number): boolean =>
    !!options.grid || [-1, 0, 1].some(by => rowGroups.near.has(groups[index + by]!))
  return html`<div
      class="items ${hasCoarsePointer ? 'coarse' : ''}"
      part="feed"
      role=${view.rows.length > 0 ? 'feed' : nothing}
      aria-label=${view.rows.length > 0 ? messages.title : nothing}
      aria-busy=${isBusy}
      data-shape=${validateChoice(host, 'imageShape', host.imageShape, SHAPES)}
      @click=${on.click}
      @auxclick=${on.click}
      @keydown=${on.keydown}
      @pointerover=${on.pointerover}
      @animationend=${on.animationend}
      @error=${on.error}
      @contentvisibilityautostatechange=${on.visibility}
    >
      ${repeat(
        groups,
        group => group,
        (group, index) => renderGroup(inbox, group, dependencies, isNear(index))
      )}
    </div>
    ${isBusy && (view.hasMore || options.loading) && !inbox.paging ? renderSkeleton(2) : nothing}${renderListEnd(inbox, view)}`
}
