// The head of a table; the column of buttons ends where they do.

import { html, type TemplateResult } from 'lit'

import { words } from '../words.ts'

export const renderHeadings = (names: readonly string[]): TemplateResult =>
  html`<thead role="rowgroup">
    <tr role="row">
      ${names.map(
        name =>
          html`<th role="columnheader" scope="col" class=${name === words.actions ? 'number' : ''}>
            ${name}
          </th>`
      )}
    </tr>
  </thead>`
