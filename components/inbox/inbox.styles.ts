// All styles of an inbox, in their order.

import { controls } from '../view/controls.styles.ts'
import { frame } from '../view/frame.styles.ts'
import { states } from '../view/states.styles.ts'
import { viewTokens } from '../view/view-tokens.styles.ts'
import { arrival } from './item/arrival.styles.ts'
import { item } from './item/item.styles.ts'
import { pager } from './pager/pager.styles.ts'

export const inboxStyles = [viewTokens, controls, frame, item, arrival, states, pager]
