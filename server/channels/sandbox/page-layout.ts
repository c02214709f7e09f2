// What the sandbox page shows, and the addresses that lead from one sheet to another.

import { timeInId } from '../../core/id.ts'
import type { View } from './forms.ts'
import { html, type Html } from './html.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

export interface Sheet {
  readonly env: string
  readonly user: string
  readonly messages: readonly SandboxMessage[]
  /** Cursor of the next, older page. */
  readonly next: string | undefined
  readonly before: string | undefined
  /** The one to show. */
  readonly chosen: SandboxMessage | undefined
  /** It was asked for; otherwise it is just the newest. */
  readonly reading: boolean
  readonly view: View
  /** Pictures of the mail may be fetched. */
  readonly images: boolean
}

/** When a message was made, as its id says. */
export const time = (id: string, kind: 'short' | 'whole'): Html => {
  const iso = new Date(timeInId(id)).toISOString()
  const text = kind === 'whole' ? `${iso.slice(0, 16).replace('T', ' ')} UTC` : iso.slice(11, 16)
  return html`<time datetime="${iso}" class="${kind}">${text}</time>`
}

/** Address of this page with some of its parameters changed; empty ones are left out. */
export function link(sheet: Sheet, change: Readonly<Record<string, string | undefined>>): string {
  const { before, env, user, view } = sheet
  const all = { before, env, m: sheet.reading ? sheet.chosen?.id : undefined, user, view, ...change }
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(all)) if (value) query.set(key, value)
  return `/sandbox?${query}`
}
