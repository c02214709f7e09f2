// The states of the preferences.

import { TransportError, createNotifStore } from '../../../components/headless/index.ts'
import { configure } from '../../../components/index.ts'
import type { Preferences } from '../../../components/protocol/index.ts'
import { memoryInbox } from '../../../components/transport/memory.ts'
import { world } from '../support/harbour.ts'
import { ARABIC, GERMAN, harbourPreferences } from '../support/preferences.ts'

type Make = (html: string) => void

const INLINE = '<div class="page"><notif-preferences></notif-preferences></div>'
const POPUP = '<notif-preferences-popup open></notif-preferences-popup>'

function speak(lang: string, dir = 'ltr'): void {
  Object.assign(document.documentElement, { dir, lang })
}

function answering(getPreferences: () => Promise<Preferences>) {
  const environment = { ready: async () => {} }
  const transport = { ...memoryInbox().transport(), getPreferences }
  return createNotifStore({ environment, transport })
}

/** Draws one state of each form. */
const both = (name: string, begin: () => void): Record<string, (make: Make) => void> => ({
  [`${name}-dialog`]: make => (begin(), make(POPUP)),
  [name]: make => (begin(), make(INLINE))
})

const shown = (titles?: Readonly<Record<string, string>>): void =>
  void configure({
    store: world({ preferences: harbourPreferences(titles && (id => titles[id]!)) }).store
  })

export const PREFERENCES: Record<string, (make: Make) => void> = {
  ...both('preferences', () => shown()),
  ...both('preferences-german', () => (speak('de'), shown(GERMAN))),
  ...both('preferences-arabic', () => (speak('ar', 'rtl'), shown(ARABIC))),
  ...both('preferences-empty', () => void configure({ store: world().store })),
  ...both('preferences-loading', () => void configure({ store: answering(() => new Promise(() => {})) })),
  ...both('preferences-error', () => {
    const away = async (): Promise<never> => {
      throw new TransportError(0, 'away')
    }
    void configure({ store: answering(away) })
  }),
  ...both('preferences-refused', () => {
    const transport = memoryInbox({ preferences: harbourPreferences() }).transport()
    const updateDeliveries = async (): Promise<never> => {
      throw new TransportError(422, 'No.')
    }
    const environment = { ready: async () => {} }
    void configure({
      store: createNotifStore({ environment, transport: { ...transport, updateDeliveries } })
    })
  })
}
