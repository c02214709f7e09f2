// All styles of preferences, in their order.

import { controls } from './controls.styles.ts'
import { frame } from './inbox.styles.ts'
import { inboxTokens } from './inbox-tokens.styles.ts'
import { preference } from './preference.styles.ts'
import { states } from './states.styles.ts'
import { switches } from './switch.styles.ts'
import { tokens } from './tokens.styles.ts'

export const preferenceStyles = [tokens, inboxTokens, controls, frame, states, preference, switches]
