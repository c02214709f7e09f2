// A button that is a picture.

import { html, nothing, type TemplateResult } from 'lit/html.js'

/**
 * The title is the name: beside a label it would be read once more, as a description.
 *
 * @param enabled - not by `disabled`: the button that has just been pressed would lose the focus
 */
export const pictureButton = (
  name: string,
  picture: TemplateResult,
  run: () => void,
  enabled = true,
  look = 'icon'
): TemplateResult =>
  html`<button
    class=${look}
    title=${name}
    aria-disabled=${enabled ? nothing : 'true'}
    @click=${() => enabled && run()}
  >
    ${picture}
  </button>`
