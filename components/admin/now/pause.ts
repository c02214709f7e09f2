// How long a queue is paused.

import { html, type TemplateResult } from 'lit'

import type { QueueState } from '../api/status.ts'
import { words } from '../words.ts'

/** Minutes; empty: until somebody resumes it. */
const CHOICES = ['15', '60', '480', ''] as const

export const renderPauseForm = ({ waiting }: QueueState): TemplateResult =>
  html`<p>${words.now.pauseWhy(waiting.count)}</p>
    <label class="field"
      ><span>${words.now.pauseUntil}</span
      ><select class="input" name="until">
        ${CHOICES.map(minutes => html`<option value=${minutes}>${words.now.pauseChoices[minutes]}</option>`)}
      </select></label
    >`

export const toPauseEnd = (minutes: string): Date | undefined =>
  minutes === '' ? undefined : new Date(Date.now() + Number(minutes) * 60_000)
