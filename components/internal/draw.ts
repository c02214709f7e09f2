// Shows what a template says in an element. None is a LitElement: a bell needs no templates, and its inbox does.

import type { ReactiveElement } from '@lit/reactive-element'
import { render } from 'lit/html.js'

/** Called after the element's own `update`, so that whoever asks for another one meanwhile gets it. */
export function draw(host: ReactiveElement, content: unknown): void {
  render(content, host.renderRoot, { host })
}
