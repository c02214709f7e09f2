// How long a queue is paused.

import { html, type TemplateResult } from 'lit'

import type { DeliveryQueue } from '../api/status.ts'
import { nowWords } from '../words/now.ts'

/** Minutes; empty: until somebody resumes it. */
const CHOICES = ['15', '60', '480', ''] as const

export const renderPauseForm = ({ waiting }: DeliveryQueue): TemplateResult =>
  html`<p>${nowWords.pauseWhy(waiting.count)}</p>
    <label class="field"
      ><span>${nowWords.pauseUntil}</span
      ><select class="input" name="until">
        ${CHOICES.map(minutes => html`<option value=${minutes}>${nowWords.pauseChoices[minutes]}</option>`)}
      </select></label
    >`

export const toPauseEnd = (minutes: string): Date | undefined =>
  minutes === '' ? undefined : new Date(Date.now() + Number(minutes) * 60_000)
