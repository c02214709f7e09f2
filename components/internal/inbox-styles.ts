// All styles of an inbox, in their order.

import { controls } from './controls.styles.ts'
import { frame } from './inbox.styles.ts'
import { inboxTokens } from './inbox-tokens.styles.ts'
import { itemExtras } from './item-extras.styles.ts'
import { item } from './item.styles.ts'
import { pager } from './pager.styles.ts'
import { states } from './states.styles.ts'

export const inboxStyles = [inboxTokens, controls, frame, item, itemExtras, states, pager]
