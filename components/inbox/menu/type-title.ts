// The title of a notification type, as the preferences show it.

import type { Preferences } from '../../protocol/index.ts'
import type { NotifStore } from '../../store/types.ts'

/** @returns undefined until they are read */
export function readPreferences({ $preferences }: NotifStore): Preferences | undefined {
  const preferences = $preferences.get()
  return preferences.state === 'ready' ? preferences : undefined
}

/** `new_comment` becomes "New comment": until the preferences are read, the words of the id are the title. */
export function findTypeTitle(store: NotifStore, type: string): string {
  const words = type.replaceAll(/[\s_\-./:]+/g, ' ').trim()
  const found = readPreferences(store)?.notifications.find(({ notificationId }) => notificationId === type)
  return found?.title ?? words.charAt(0).toUpperCase() + words.slice(1)
}
