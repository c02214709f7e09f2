// All states, in the order in which the gallery shows them.

import { answerGroup } from './answers.ts'
import { bellGroup } from './bells.ts'
import { listGroup } from './lists.ts'
import { panelGroup } from './panels.ts'
import { preferencesGroup } from './preferences.ts'
import { pictureGroup, rowGroup } from './rows.ts'
import type { Group, State } from './state.ts'
import { undoGroup } from './undo.ts'
import { windowGroup } from './windows.ts'

export const GROUPS: readonly Group[] = [
  rowGroup,
  answerGroup,
  pictureGroup,
  undoGroup,
  panelGroup,
  windowGroup,
  bellGroup,
  listGroup,
  preferencesGroup
]

/** Returns the id of a state or group in the page. */
export const toId = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-')

const states = new Map(GROUPS.flatMap(({ states }) => states).map(state => [toId(state.name), state]))

export const findState = (id: string): State | undefined => states.get(id)
