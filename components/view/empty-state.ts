// Shown in place of a list: an illustration, a title, a text and perhaps a button.

import { html, nothing, type TemplateResult } from 'lit/html.js'

interface Illustration {
  readonly body: string
  readonly lines: string
  readonly accent: string
  readonly sparks: string
}

export const BELL: Illustration = {
  accent: 'm52.5 47 5.5 5.5L68.5 42',
  body: 'M42 41a18 18 0 0 1 36 0v9c0 2.9.9 5.7 2.5 8.1l2.7 4a2.5 2.5 0 0 1-2.1 3.9H38.9a2.5 2.5 0 0 1-2.1-3.9l2.7-4A14.5 14.5 0 0 0 42 50Z',
  lines: 'M54 72.5a7.5 7.5 0 0 0 12 0',
  sparks: 'M26 26v6M23 29h6M93 62v6M90 65h6M97 27h.01M24 63h.01'
}
export const TRAY: Illustration = {
  accent: '',
  body: 'M32 52h13.5c1.1 0 2.2.6 2.7 1.6l2.3 4.3c.5 1 1.6 1.6 2.7 1.6h13.6c1.1 0 2.2-.6 2.7-1.6l2.3-4.3c.5-1 1.6-1.6 2.7-1.6H88v12a6 6 0 0 1-6 6H38a6 6 0 0 1-6-6Z',
  lines: 'm32 52 8-21.8a5 5 0 0 1 4.7-3.2H52M88 52l-8-21.8a5 5 0 0 0-4.7-3.2H68M62 20l-5 11h7l-5 11',
  sparks: 'M22 30v6M19 33h6M99 60v6M96 63h6'
}

const renderIllustration = ({ accent, body, lines, sparks }: Illustration): TemplateResult =>
  html`<svg class="art" viewBox="0 0 120 96" aria-hidden="true">
    <path class="fill" d="M60 6c30 0 46 16 46 42S88 92 60 92 14 74 14 48 30 6 60 6Z" />
    <path class="raised" d=${body} />
    <path d=${lines} />
    <path class="accent" d=${accent} />
    <path class="soft" d=${sparks} />
  </svg>`

export const renderEmptyState = (
  illustration: Illustration,
  title: string,
  text: string,
  button: TemplateResult | typeof nothing = nothing
): TemplateResult =>
  html`<div class="empty-state" part="empty-state">
    ${renderIllustration(illustration)}
    <p class="empty-state-title">${title}</p>
    <p>${text}</p>
    ${button}
  </div>`
