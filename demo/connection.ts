// The dot in the corner: how the page's own live connection is doing.

import type { NotifStore } from '../components/store/index.ts'

interface Kit {
  getNotifContext(element: Element): Promise<NotifStore>
}

const SCRIPT = '/notif.js'

const WORDS = {
  connecting: 'Connecting',
  idle: 'Connecting',
  offline: 'Offline',
  online: 'Connected',
  refused: 'Refused'
} as const

export async function watchConnection(place: HTMLElement, words: HTMLElement): Promise<void> {
  // From the very script that the page has: whoever uses the script tag can do the same.
  const { getNotifContext } = (await import(/* @vite-ignore */ SCRIPT)) as Kit
  const store = await getNotifContext(document.documentElement)
  store.$connection.subscribe(({ state }) => {
    place.dataset['state'] = state
    words.textContent = WORDS[state]
  })
}
