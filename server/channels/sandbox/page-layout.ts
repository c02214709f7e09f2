// Parts of the sandbox page that its list and its message share: the state of the page, times and links.

import { html, type Html } from '../../core/html.ts'
import { timeInId } from '../../core/id.ts'
import type { View } from './message-views.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

export interface PageState {
  readonly env: string
  readonly user: string
  readonly messages: readonly SandboxMessage[]
  /** Cursor of the next, older page. */
  readonly next: string | undefined
  readonly before: string | undefined
  /** The message that is shown. */
  readonly chosen: SandboxMessage | undefined
  /** Whether the address names the message. Otherwise the newest is shown. */
  readonly isReading: boolean
  readonly view: View
  /** Whether remote pictures of an email are loaded. */
  readonly loadsImages: boolean
}

/** Renders when a message was created. The time is a part of its id. */
export const renderTime = (id: string, format: 'short' | 'whole'): Html => {
  const iso = new Date(timeInId(id)).toISOString()
  const text = format === 'whole' ? `${iso.slice(0, 16).replace('T', ' ')} UTC` : iso.slice(11, 16)
  return html`<time datetime="${iso}" class="${format}">${text}</time>`
}

/** Returns the address of this page with changed parameters. Empty ones are left out. */
export function pageLink(state: PageState, changes: Readonly<Record<string, string | undefined>>): string {
  const { before, env, user, view } = state
  const params = { before, env, m: state.isReading ? state.chosen?.id : undefined, user, view, ...changes }
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) if (value) query.set(key, value)
  return `/sandbox?${query}`
}
