// Shows the state of the live connection at the top of the page.

import type { NotifStore } from '../components/headless/index.ts'

interface Kit {
  getNotifContext(element: Element): Promise<NotifStore>
}

const SCRIPT = '/notif.js'

const LABELS = {
  connecting: 'Connecting',
  idle: 'Connecting',
  offline: 'Offline',
  online: 'Connected',
  refused: 'Not signed in'
} as const

export async function watchConnection(status: HTMLElement, label: HTMLElement): Promise<void> {
  // Imports the script of the script tag, as any page with the script tag can.
  const { getNotifContext } = (await import(/* @vite-ignore */ SCRIPT)) as Kit
  const store = await getNotifContext(document.documentElement)
  store.$connection.subscribe(({ state }) => {
    status.dataset['state'] = state
    label.textContent = LABELS[state]
  })
}
