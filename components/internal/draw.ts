// Shows what a template says in an element that is no LitElement, because a bell needs no templates and its inbox does.

import { render, type ReactiveElement } from 'lit'

/** Called after the element's own `update`, so that whoever asks for another one meanwhile gets it. */
export function draw(host: ReactiveElement, content: unknown): void {
  render(content, host.renderRoot, { host })
}
