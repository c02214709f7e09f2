// The part of the preferences that each app renders itself: whether the inbox shows a type.

import type { Choice } from 'notif-kit'
import type { NotifStore, PreferencesState } from 'notif-kit/store'

export const inApp = (state: PreferencesState): readonly Choice[] =>
  state.state === 'ready'
    ? state.preferences.filter(
        ({ channel, subNotificationId }) => channel === 'INAPP_WEB' && subNotificationId === undefined
      )
    : []

export const setInApp = (store: NotifStore, type: string, on: boolean): Promise<unknown> =>
  store.updateDelivery(type, 'INAPP_WEB', on ? 'instant' : 'off')
