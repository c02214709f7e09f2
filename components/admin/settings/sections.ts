// The sections of the settings, and the way to each.

import { html, nothing, type TemplateResult } from 'lit'

import { words } from '../words.ts'
import { settingWords as text } from '../words/settings.ts'

const SECTIONS = ['environments', 'keys', 'providers', 'members', 'audit', 'server'] as const
export type Section = (typeof SECTIONS)[number]

export const renderSections = (current: string, choose: (section: Section) => void): TemplateResult =>
  html`<nav class="sections" aria-label=${words.pages.settings}>
    ${SECTIONS.map(
      one =>
        html`<button
          type="button"
          aria-current=${one === current ? 'true' : nothing}
          @click=${() => choose(one)}
        >
          ${text.sections[one]}
        </button>`
    )}
  </nav>`
