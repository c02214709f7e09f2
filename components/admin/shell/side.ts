// The side of the dashboard, the bar at the top of a phone and the tabs at its end.

import { html, nothing, type TemplateResult } from 'lit'
import { ifDefined } from 'lit/directives/if-defined.js'

import type { Member } from '../api/scope.ts'
import { renderMark } from '../view/brand.ts'
import { BROWSER, icon, MENU, MOON, MORE, SEARCH, SUN, UP_DOWN, WARNING } from '../view/icons.ts'
import { toInitials } from '../view/status.ts'
import { words } from '../words.ts'
import { readScheme, SCHEMES, setScheme, type Scheme } from './scheme.ts'
import { hasScreen, NAVIGATION, type NavigationEntry } from './screens.ts'

export interface SideProps {
  readonly page: string
  readonly environment: string
  readonly member: Member
  /** Whether the last request was answered. */
  readonly isOnline: boolean
  /** How many things need a look, and dead letters. */
  readonly attention: number
  readonly deadLetters: string
  pageUrl(page: string): string
  onPalette(): void
}

const shownEntries = (group: readonly NavigationEntry[]): readonly NavigationEntry[] =>
  group.filter(({ page }) => hasScreen(page))

function renderTally(page: string, { attention, deadLetters }: SideProps): TemplateResult | typeof nothing {
  if (page === 'now' && attention > 0)
    return html`<span class="tally bad"
      >${icon(WARNING)}<span>${attention}</span><span class="sr"> ${words.shell.needYou}</span></span
    >`
  if (page === 'dead-letters' && deadLetters) return html`<span class="tally">${deadLetters}</span>`
  return nothing
}

const renderLink = ({ icon: path, page }: NavigationEntry, props: SideProps): TemplateResult =>
  html`<a
    href=${props.pageUrl(page)}
    title=${words.pages[page]}
    aria-current=${props.page === page ? 'page' : nothing}
    >${icon(path)}<span class="name">${words.pages[page]}</span>${renderTally(page, props)}</a
  >`

const SCHEME_ICONS: Readonly<Record<Scheme, string>> = { auto: BROWSER, dark: MOON, light: SUN }

const renderScheme = (): TemplateResult =>
  html`<fieldset class="segments tiny">
    <legend class="sr">${words.shell.scheme}</legend>
    ${SCHEMES.map(
      scheme =>
        html`<label title=${words.shell.schemes[scheme]}
          ><input
            type="radio"
            name="scheme"
            .checked=${readScheme() === scheme}
            @change=${() => setScheme(scheme)}
          /><span
            ><span class="sr">${words.shell.schemes[scheme]}</span
            >${icon(SCHEME_ICONS[scheme], 'small')}</span
          ></label
        >`
    )}
  </fieldset>`

const renderEnvironment = (environment: string, id?: string): TemplateResult =>
  html`<button
    type="button"
    class="environment"
    id=${ifDefined(id)}
    popovertarget="environments"
    title=${words.shell.changeEnvironment}
  >
    ${renderMark()}<b class="clip">${environment}</b
    ><span class="clip">${words.brand}</span>${icon(UP_DOWN, 'small')}
  </button>`

export const renderSide = (props: SideProps): TemplateResult =>
  html`<header class="side">
    ${renderEnvironment(props.environment)}
    <button type="button" class="find" @click=${props.onPalette} title=${words.palette.open}>
      ${icon(SEARCH, 'small')}<span>${words.palette.open}</span><kbd>${words.shell.mod}K</kbd>
    </button>
    <nav aria-label=${words.shell.navigation}>
      ${NAVIGATION.map(shownEntries)
        .filter(group => group.length > 0)
        .map(group => html`<div class="group">${group.map(entry => renderLink(entry, props))}</div>`)}
    </nav>
    <div class="foot">
      <div class="foot-row">
        <i class="live-dot" data-online=${props.isOnline}></i>${
          props.isOnline ? words.shell.online : words.shell.offline
        }${renderScheme()}
      </div>
      <button type="button" class="me" popovertarget="account" title=${words.shell.account}>
        <span class="initials" aria-hidden="true">${toInitials(props.member.name)}</span
        ><b class="clip">${props.member.name}</b
        ><span class="clip">${words.roles[props.member.role]}</span>${icon(UP_DOWN, 'small')}
      </button>
    </div>
  </header>`

export const renderTopBar = (props: SideProps): TemplateResult =>
  html`<header class="top">
    ${renderEnvironment(props.environment)}
    <button type="button" class="icon-button" title=${words.palette.open} @click=${props.onPalette}>
      ${icon(SEARCH)}
    </button>
    <button type="button" class="icon-button" title=${words.shell.account} popovertarget="account">
      ${icon(MENU)}
    </button>
  </header>`

export function renderTabBar(props: SideProps): TemplateResult {
  const [first = []] = NAVIGATION
  return html`<nav class="tab-bar" aria-label=${words.shell.tabs}>
    ${shownEntries(first).map(
      ({ icon: path, page }) =>
        html`<a href=${props.pageUrl(page)} aria-current=${props.page === page ? 'page' : nothing}
          >${icon(path)}${words.shortPages[page] ?? words.pages[page]}${
            page === 'now' && props.attention > 0
              ? html`<span class="mark-number"
                  >${props.attention}<span class="sr"> ${words.shell.needYou}</span></span
                >`
              : nothing
          }</a
        >`
    )}
    <button type="button" popovertarget="more">${icon(MORE)}${words.shell.more}</button>
  </nav>`
}
