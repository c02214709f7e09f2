// The mark of the dashboard: a bell with a dot.

import { html, type TemplateResult } from 'lit'

export const renderMark = (): TemplateResult =>
  html`<svg class="mark" viewBox="0 0 28 28" aria-hidden="true">
    <rect width="28" height="28" rx="8.5" />
    <path
      d="M9 12.2a5 5 0 0 1 10 0v1.9c0 .8.24 1.56.69 2.22l.6.88a.8.8 0 0 1-.66 1.25H8.37a.8.8 0 0 1-.66-1.25l.6-.88c.45-.66.69-1.43.69-2.22ZM12.2 20.6c.42.5 1.08.8 1.8.8s1.38-.3 1.8-.8"
    />
    <circle cx="19" cy="8.6" r="3.2" />
  </svg>`
