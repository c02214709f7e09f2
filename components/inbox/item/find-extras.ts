// Loads the code of buttons, reply fields, progress bars, people, icons and snoozes when the first item has one of them.

import type { Notif } from '../../protocol/index.ts'
import type { ExtrasView, ItemView } from '../base/inbox-view.ts'

const NAMES = [
  'actions',
  'actors',
  'icon',
  'outcome',
  'progress',
  'reply',
  'snoozedAt',
  'snoozedUntil'
] as const

const loading = new WeakSet<ItemView>()

async function load(inbox: ItemView): Promise<void> {
  loading.add(inbox)
  try {
    const { createExtras } = await import('./extras/extras.ts')
    inbox.extras = createExtras(inbox)
    inbox.host.requestUpdate()
  } catch {
    // The texts are shown without them, until the next item is rendered.
    loading.delete(inbox)
  }
}

export const hasExtras = (item: Notif): boolean => NAMES.some(name => item[name] !== undefined)

/** @returns undefined if the item has none of them, or their code is not loaded yet */
export function findExtras(inbox: ItemView, item: Notif): ExtrasView | undefined {
  if (!hasExtras(item)) return undefined
  if (!inbox.extras && !loading.has(inbox)) void load(inbox)
  return inbox.extras
}
