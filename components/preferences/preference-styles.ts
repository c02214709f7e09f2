// All styles of preferences, in their order.

import { reset, tokens } from '../core/tokens.styles.ts'
import { controls } from '../view/controls.styles.ts'
import { frame } from '../view/frame.styles.ts'
import { states } from '../view/states.styles.ts'
import { viewTokens } from '../view/view-tokens.styles.ts'
import { matrix } from './matrix.styles.ts'
import { switches } from './switch.styles.ts'

export const preferenceStyles = [reset, tokens, viewTokens, controls, frame, states, matrix, switches]
