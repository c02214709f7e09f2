// What the palette offers for a text: people, types, things to do, pages.

import { findUsers } from '../api/people.ts'
import type { AdminScope } from '../api/scope.ts'
import { FAILURE, SEARCH, SEND } from '../view/icons.ts'
import { words } from '../words.ts'

export interface Command {
  /** Icon; absent: the initials of a person. */
  readonly icon?: string
  readonly text: string
  /** Part that is shown bold. */
  readonly match?: string
  readonly hint?: string
  readonly isCode?: boolean
  readonly keys?: readonly string[]
  /** Page of the dashboard. */
  readonly page: string
}

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}

export interface PageEntry {
  readonly page: string
  readonly icon: string
  readonly key: string
}

/** UUID of a send. */
const TRACKING_ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** Without waiting for the server. */
export function localCommands(text: string, pages: readonly PageEntry[]): readonly CommandGroup[] {
  const typed = text.trim()
  const groups: CommandGroup[] = []
  if (TRACKING_ID.test(typed))
    groups.push({
      commands: [{ icon: SEND, page: `sends/${typed.toLowerCase()}`, text: words.palette.openSend }],
      title: words.palette.do
    })
  else if (typed) {
    const user = encodeURIComponent(typed)
    const [sends] = words.palette.sends(typed)
    const [failed] = words.palette.failed(typed)
    groups.push({
      commands: [
        {
          hint: `user:${typed}`,
          icon: SEARCH,
          isCode: true,
          match: typed,
          page: `sends?user=${user}`,
          text: sends
        },
        {
          hint: `user:${typed} status:failure`,
          icon: FAILURE,
          isCode: true,
          match: typed,
          page: `sends?user=${user}&status=failure`,
          text: failed
        }
      ],
      title: words.palette.do
    })
  }
  const found = pages.filter(({ page }) => nameOf(page).toLowerCase().includes(typed.toLowerCase()))
  if (found.length > 0)
    groups.push({
      commands: found.map(({ icon, key, page }) => ({
        icon,
        keys: ['G', key.toUpperCase()],
        page,
        text: nameOf(page)
      })),
      title: words.palette.goTo
    })
  return groups
}

const nameOf = (page: string): string => words.pages[page as keyof typeof words.pages] ?? page

/** People whose id or contact begins with the text. */
export async function peopleCommands(
  scope: AdminScope,
  text: string,
  hasUsers: boolean,
  signal: AbortSignal
): Promise<CommandGroup | undefined> {
  const answer = await findUsers(scope, text.trim(), signal)
  if (!answer.ok || answer.value.users.length === 0) return undefined
  return {
    commands: answer.value.users.map(({ email, id, number }) => ({
      hint: email ?? number ?? '',
      match: id,
      page: hasUsers ? `users/${encodeURIComponent(id)}` : `sends?user=${encodeURIComponent(id)}`,
      text: ''
    })),
    title: words.palette.people
  }
}
