// Listeners on the list for the events of all its rows.

import type { Notif } from '../../protocol/index.ts'
import type { NotifAction } from '../../view/emit.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { readKeyboard } from '../base/options.ts'
import { openMenuOfRow } from '../menu/row-menus.ts'
import type { RowFocus } from './focus.ts'
import { onListKey } from './keyboard.ts'
import type { RowGroups } from './row-groups.ts'

interface RowListeners {
  animationend: (event: AnimationEvent) => void
  click: (event: MouseEvent) => void
  error: { handleEvent(event: Event): void; capture: true }
  keydown: (event: KeyboardEvent) => void
  pointerover: (event: Event) => void
  visibility: (event: ContentVisibilityAutoStateChangeEvent) => void
}

/** The row that was clicked last. */
let lastRow: Element | null = null

export function createRowListeners(
  inbox: InboxView & {
    readonly rowFocus: Pick<RowFocus, 'focus'>
    readonly rowGroups: Pick<RowGroups<never>, 'setSkipped'>
  }
): RowListeners {
  const findItem = (target: Element): Notif | undefined => {
    const id = target.closest('article')?.id
    return inbox.view?.rows.find(item => item.id === id)
  }
  return {
    animationend({ animationName, target }) {
      if (animationName !== 'wash') return
      inbox.arrived.delete((target as Element).id)
      inbox.host.requestUpdate()
    },
    click(event) {
      const target = event.target as Element
      const item = findItem(target)
      const link = target.closest('a[href]')
      const redirectURL = link?.getAttribute('href')
      // The middle button of a mouse follows a link too, in a new tab.
      if (!item || event.button > (link ? 1 : 0)) return
      // The second click of a double click is not for the row that has come below the pointer.
      if (event.detail > 1 && target.closest('article') !== lastRow) return event.preventDefault()
      lastRow = target.closest('article')
      const action = target.closest<HTMLElement>('[data-act]')?.dataset['act']
      if (action && openMenuOfRow(inbox, action, item)) return
      if (action) return inbox.act(action as NotifAction, item)
      // A link in the texts leads elsewhere, and the page is told where.
      if (!inbox.select(redirectURL ? { ...item, redirectURL } : item)) event.preventDefault()
      else if (link && !event.button && !inbox.host.newTab) inbox.host.onLinkFollowed()
    },
    // Error events of images do not bubble.
    error: {
      capture: true,
      handleEvent({ target }) {
        inbox.brokenImages.add((target as Element).getAttribute('src'))
        inbox.host.requestUpdate()
      }
    },
    keydown: event =>
      onListKey(event, {
        archive(row) {
          const item = findItem(row)
          if (item) inbox.act(item.archived ? 'unarchive' : 'archive', item)
        },
        focus: row => inbox.rowFocus.focus(row),
        hasLetters: readKeyboard(inbox.host),
        // A click on a row without a link is handled by `click` as well.
        open: row => (row.querySelector<HTMLElement>('.title[href]') ?? row).click(),
        toggleRead(row) {
          const item = findItem(row)
          if (item && !item.archived) inbox.act(inbox.isUnread(item) ? 'read' : 'unread', item)
        }
      }),
    // The full date costs as much as the rest of a row, so it is formatted only for the pointer.
    pointerover({ target }) {
      inbox.undoing.load().catch(() => {})
      const time = (target as Element).closest<HTMLTimeElement>('time')
      if (time) time.title = inbox.formats.full(new Date(time.dateTime))
    },
    visibility({ skipped, target }) {
      const row = (target as Element).querySelector('article')
      if (inbox.rowGroups.setSkipped(row?.id, skipped)) inbox.host.requestUpdate()
    }
  }
}
