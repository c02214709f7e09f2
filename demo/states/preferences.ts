// The preferences: groups, channels, pause, quiet hours, and the moments without any.

import { html, type TemplateResult } from 'lit'

import { TransportError } from '../../components/headless/index.ts'
import type { NotifPreferencesPopup, NotifStore } from '../../components/index.ts'
import { given } from '../given.ts'
import { ARABIC, GERMAN, harbourPreferences, harbourSettings } from '../harbour-preferences.ts'
import { world } from '../harbour.ts'
import { storeWith, type Group } from './state.ts'

/** Returns a store whose types have titles in the language of the page. */
function choosing(): NotifStore {
  const titles = { ar: ARABIC, de: GERMAN }[document.documentElement.lang]
  return world({ preferences: harbourPreferences(titles && (id => titles[id]!)) }).store
}

const preferences = (store: NotifStore): TemplateResult =>
  html`<notif-preferences ${given({ store })}></notif-preferences>`

const openNext = ({ currentTarget }: Event): void =>
  ((currentTarget as Element).nextElementSibling as NotifPreferencesPopup).show()

const ELEMENT = '<notif-preferences></notif-preferences>'

export const preferencesGroup: Group = {
  name: 'Preferences',
  states: [
    {
      code: {
        Element: ELEMENT,
        Page: 'store.updateSettings({ channels: { SMS: { on: false } } })\nstore.updateSettings({\n  quiet: { on: true, days: [1, 2, 3, 4, 5], from: "22:00", to: "07:00" }\n})',
        Type: 'id: safety\ntitle: Safety on board\ndescription: Storm, fog, engine trouble.\ngroup: Sailing\nurgent: true'
      },
      look: () => preferences(world({ preferences: harbourSettings() }).store),
      name: 'Groups, channels and quiet hours',
      size: 'whole'
    },
    {
      code: { Element: ELEMENT },
      look: () => preferences(choosing()),
      name: 'Preferences',
      size: 'whole'
    },
    {
      code: {
        Page: 'store.updateSettings({ pause: { isOn: true } })\n\n// until tomorrow\nstore.updateSettings({\n  pause: { isOn: true, until: "2026-11-24T07:00:00Z" }\n})'
      },
      look: () =>
        preferences(world({ preferences: harbourSettings({ pause: { isOn: true, until: null } }) }).store),
      name: 'Paused',
      size: 'half'
    },
    {
      code: { Style: 'aside {\n  inline-size: 420px;\n}' },
      look: () => preferences(choosing()),
      name: 'Preferences in a column',
      size: 'half'
    },
    {
      code: {
        Element: '<notif-preferences-popup></notif-preferences-popup>',
        Page: "document.querySelector('notif-preferences-popup').show()"
      },
      look: () =>
        html`<button @click=${openNext}>Open</button>
          <notif-preferences-popup ${given({ store: choosing() })}></notif-preferences-popup>`,
      name: 'Preferences as a dialog'
    },
    {
      code: { Element: ELEMENT },
      look: () => preferences(storeWith({ getPreferences: () => new Promise<never>(() => {}) })),
      name: 'Preferences on their way'
    },
    {
      code: { Element: ELEMENT },
      look: () => preferences(world().store),
      name: 'No preferences'
    },
    {
      code: { Page: "store.$preferences.get()\n// { state: 'failed', error }\n\nstore.reloadPreferences()" },
      look: () =>
        preferences(storeWith({ getPreferences: async () => Promise.reject(new TransportError(0, 'away')) })),
      name: 'Preferences that did not load'
    }
  ]
}
