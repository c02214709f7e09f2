// All styles of preferences, in their order.

import { controls } from '../internal/controls.styles.ts'
import { frame } from '../internal/frame.styles.ts'
import { states } from '../internal/states.styles.ts'
import { reset, tokens } from '../internal/tokens.styles.ts'
import { viewTokens } from '../internal/view-tokens.styles.ts'
import { matrix } from './matrix.styles.ts'
import { switches } from './switch.styles.ts'

export const preferenceStyles = [reset, tokens, viewTokens, controls, frame, states, matrix, switches]
