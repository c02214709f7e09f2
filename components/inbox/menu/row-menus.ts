// Loads and opens the menus of a row.

import type { Notif } from '../../protocol/index.ts'
import type { InboxView } from '../base/inbox-view.ts'

type OpenMenu = (inbox: InboxView, act: string, item: Notif) => boolean
type Open = (inbox: InboxView, item: Notif, openOther: OpenMenu) => Promise<void>

const MENUS: Readonly<Record<string, () => Promise<Open>>> = {
  fewer: async () => (await import('./fewer-menu.ts')).openFewerMenu,
  more: async () => (await import('./row-menu.ts')).openRowMenu,
  snooze: async () => (await import('./snooze-menu.ts')).openSnoozeMenu
}

/**
 * @param act - `data-act` of a button
 * @returns false if the button opens no menu
 */
export function openMenuOfRow(inbox: InboxView, act: string, item: Notif): boolean {
  const load = MENUS[act]
  load?.().then(open => open(inbox, item, openMenuOfRow), console.warn)
  return load !== undefined
}
