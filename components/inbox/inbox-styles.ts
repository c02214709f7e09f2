// All styles of an inbox, in their order.

import { controls } from '../internal/controls.styles.ts'
import { frame } from '../internal/frame.styles.ts'
import { states } from '../internal/states.styles.ts'
import { viewTokens } from '../internal/view-tokens.styles.ts'
import { itemExtras } from './item-extras.styles.ts'
import { item } from './item.styles.ts'
import { pager } from './pager.styles.ts'

export const inboxStyles = [viewTokens, controls, frame, item, itemExtras, states, pager]
