// Menus of the shell: environments, account, and the other pages of the phone's tab bar. Native popovers.

import { html, nothing, type TemplateResult } from 'lit'

import type { EnvironmentName } from '../api/session.ts'
import { CHECK, icon, KEY, PLUS } from '../view/icons.ts'
import { areSingleKeysOn, setSingleKeys } from '../view/keys.ts'
import { words } from '../words.ts'
import { hasScreen, NAVIGATION } from './screens.ts'

export interface MenuProps {
  readonly clientId: string
  readonly environments: readonly EnvironmentName[]
  readonly page: string
  environmentUrl(clientId: string): string
  pageUrl(page: string): string
  onKeys(): void
  onSignOut(isEverywhere: boolean): void
}

/** A menu closes when something in it is chosen. */
function closeMenu(event: Event): void {
  const chosen = event.target as Element
  if (chosen.closest('a, button')) (event.currentTarget as HTMLElement).hidePopover()
}

const renderMenu = (id: string, label: string, content: unknown): TemplateResult =>
  html`<div class="menu" id=${id} popover role="group" aria-label=${label} @click=${closeMenu}>
    ${content}
  </div>`

export const renderEnvironmentMenu = ({
  clientId,
  environments,
  environmentUrl,
  pageUrl
}: MenuProps): TemplateResult =>
  renderMenu(
    'environments',
    words.shell.environments,
    html`<p>${words.shell.environments}</p>
      ${environments.map(
        one =>
          html`<a href=${environmentUrl(one.clientId)} aria-current=${one.clientId === clientId}
            ><span class="grow"
              ><b class="block clip">${one.name ?? one.clientId}</b
              >${one.name ? html`<span class="mono muted">${one.clientId}</span>` : nothing}</span
            >${one.clientId === clientId ? icon(CHECK, 'small') : nothing}</a
          >`
      )}
      ${
        hasScreen('settings')
          ? html`<hr />
              <a href=${pageUrl('settings?section=environments')}
                >${icon(PLUS, 'small')}${words.shell.newEnvironment}</a
              >`
          : nothing
      }`
  )

export const renderAccountMenu = ({ onKeys, onSignOut }: MenuProps): TemplateResult =>
  renderMenu(
    'account',
    words.shell.account,
    html`<button type="button" @click=${onKeys}>
        ${icon(KEY, 'small')}<span class="grow">${words.keys.title}</span><kbd>?</kbd>
      </button>
      <label class="switch"
        ><span class="grow">${words.keys.single}</span
        ><input
          type="checkbox"
          role="switch"
          .checked=${areSingleKeysOn()}
          @change=${(event: Event) => setSingleKeys((event.target as HTMLInputElement).checked)}
      /></label>
      <hr />
      <button type="button" @click=${() => onSignOut(false)}>${words.shell.signOut}</button>
      <button type="button" @click=${() => onSignOut(true)}>${words.shell.signOutEverywhere}</button>`
  )

export const renderMoreMenu = ({ page, pageUrl }: MenuProps): TemplateResult =>
  renderMenu(
    'more',
    words.shell.more,
    NAVIGATION.slice(1)
      .flat()
      .filter(entry => hasScreen(entry.page))
      .map(
        entry =>
          html`<a href=${pageUrl(entry.page)} aria-current=${entry.page === page ? 'page' : nothing}
            >${icon(entry.icon, 'small')}${words.pages[entry.page]}</a
          >`
      )
  )
