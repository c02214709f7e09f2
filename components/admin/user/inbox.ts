// The inbox of a user, drawn by the feed of the kit over items that were only read: looking marks nothing as seen.

import { html, type TemplateResult } from 'lit'

import { getHome } from '../api/home.ts'
import { userWords as text } from '../words/users.ts'

/** The script of the kit defines the elements in a root, and those that are added later. */
export async function loadFeed(root: HTMLElement | DocumentFragment): Promise<void> {
  const kit = (await import(/* @vite-ignore */ `${getHome()}/notif.js`)) as {
    serve(root: HTMLElement | DocumentFragment): void
  }
  kit.serve(root)
}

/** Nothing of the feed acts: it is a picture of what the user has. */
export const renderFeed = (items: readonly object[]): TemplateResult =>
  html`<notif-feed
    header="none"
    .dataSource=${items}
    @notif-action=${(event: Event) => event.preventDefault()}
    @notif-item-action=${(event: Event) => event.preventDefault()}
    @notif-select=${(event: Event) => event.preventDefault()}
  ></notif-feed>`

export const renderInbox = (userId: string, items: readonly object[], unread: number): TemplateResult =>
  html`<section class="card">
    <div class="card-head">
      <h2>${text.inbox(userId)}</h2>
      <span class="muted end">${text.unread(unread)}</span>
    </div>
    <div class="card-body">${renderFeed(items)}</div>
  </section>`
