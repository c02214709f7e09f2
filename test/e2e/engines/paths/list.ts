// All paths, in the order in which they run.

import { reconnects, returns, takesOver } from './connection.ts'
import { buttons, replies, updates } from './content.ts'
import { demo, strict } from './demo.ts'
import { archives, arrives, follows } from './inbox.ts'
import { keyboard, keyboardReturns } from './keyboard.ts'
import { darkPanel, emptyPanel, narrowPanel, panel, rtlPanel, shortPanel } from './panel.ts'
import type { Path } from './path.ts'
import { hours, pauses } from './pause.ts'
import { opensPreferences, switchesOff } from './preferences.ts'
import { pushPrompt } from './push-prompt.ts'
import { mutes, snoozes } from './row-menus.ts'
import { lineStays, seen } from './seen.ts'
import { chooses } from './tabs.ts'
import { toast, toastButtons } from './toast.ts'
import { undoesByClick, undoesByKey } from './undo.ts'

export const PATHS: readonly Path[] = [
  arrives,
  follows,
  archives,
  keyboard,
  keyboardReturns,
  undoesByClick,
  undoesByKey,
  snoozes,
  mutes,
  seen,
  lineStays,
  buttons,
  replies,
  updates,
  toast,
  toastButtons,
  chooses,
  pauses,
  hours,
  switchesOff,
  opensPreferences,
  panel,
  rtlPanel,
  darkPanel,
  narrowPanel,
  shortPanel,
  emptyPanel,
  pushPrompt,
  demo,
  strict,
  takesOver,
  returns,
  // Last: it kills the server.
  reconnects
]
