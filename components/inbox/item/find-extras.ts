// Loads the code of buttons, reply fields, progress bars, people, icons and ended snoozes when the first item has one of them.

import type { Notif } from '../../protocol/index.ts'
import type { ExtrasView, InboxView } from '../base/inbox-view.ts'

const NAMES = ['actions', 'actors', 'icon', 'outcome', 'progress', 'reply'] as const

const loading = new WeakSet<InboxView>()

async function load(inbox: InboxView): Promise<void> {
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

/** @returns undefined if the item has none of them, or their code is not loaded yet */
export function findExtras(inbox: InboxView, item: Notif): ExtrasView | undefined {
  const cameBack = item.snoozedAt && !item.snoozedUntil
  if (!cameBack && !NAMES.some(name => item[name] !== undefined)) return undefined
  if (!inbox.extras && !loading.has(inbox)) void load(inbox)
  return inbox.extras
}
