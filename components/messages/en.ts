// All texts of the elements in English. Every other language has the same keys; a language without a file uses English.

import { actionMessages } from './actions.en.ts'
import { arrivalMessages } from './arrival.en.ts'
import { inboxMessages } from './inbox.en.ts'
import { itemMessages } from './item.en.ts'
import { preferenceMessages } from './preference.en.ts'
import { pushMessages } from './push.en.ts'
import { snoozeMessages } from './snooze.en.ts'
import { tabMessages } from './tabs.en.ts'
import { toastMessages } from './toast.en.ts'

export const en = {
  ...inboxMessages,
  ...actionMessages,
  ...arrivalMessages,
  ...itemMessages,
  ...preferenceMessages,
  ...pushMessages,
  ...snoozeMessages,
  ...tabMessages,
  ...toastMessages
}

export type Messages = typeof en
