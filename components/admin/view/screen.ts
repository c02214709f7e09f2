// Base of the screens: finds the environment, its own or that of the closest provider, and reports where it wants to go.

import { ContextConsumer } from '@lit/context'
import { LitElement, type CSSResultGroup, type PropertyValues } from 'lit'

import { object, param } from '../../core/param.ts'
import { getHome } from '../api/home.ts'
import { adminContext, createScope, type AdminScope } from '../api/scope.ts'
import { choices } from './choices.styles.ts'
import { controls } from './controls.styles.ts'
import { feedback } from './feedback.styles.ts'
import { bindKeys, type Keys } from './keys.ts'
import { page } from './page.styles.ts'
import { status } from './status.styles.ts'
import { table } from './table.styles.ts'
import { tokens } from './tokens.styles.ts'

export interface NavigateDetail {
  /** Page and query of the dashboard, such as `sends?user=amara`. */
  readonly page: string
  /** Replaces the entry of the history, such as for a filter that is being typed. */
  readonly replace: boolean
}

/** Styles of a screen; its own come last. */
export const screenStyles = (...own: readonly CSSResultGroup[]): CSSResultGroup => [
  tokens,
  controls,
  choices,
  page,
  status,
  table,
  feedback,
  ...own
]

export abstract class AdminScreen extends LitElement {
  /** Address of the server. Default: that of the closest provider. */
  @param() apiUrl: string | undefined
  /** Client id of the environment. Default: that of the closest provider. */
  @param() clientId: string | undefined
  /** Returns an API key, which is sent as a Bearer token. */
  @object() auth: (() => string | Promise<string>) | undefined
  /** What the screen shows, as it stands in the address of its page: `user=amara&status=failure`. */
  @param() query: string = ''

  readonly #context = new ContextConsumer(this, { context: adminContext, subscribe: true })
  #own: AdminScope | undefined
  #unbindKeys: (() => void) | undefined

  get scope(): AdminScope | undefined {
    return this.#own ?? this.#context.value
  }

  /** Parameters of the query. */
  get search(): URLSearchParams {
    return new URLSearchParams(this.query)
  }

  /** Keys that work while the screen is shown. */
  protected get keys(): Keys {
    return []
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#unbindKeys = bindKeys(() => this.keys)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#unbindKeys?.()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('apiUrl') && !changed.has('clientId') && !changed.has('auth')) return
    const { apiUrl, auth, clientId } = this
    this.#own =
      clientId === undefined ? undefined : createScope({ apiUrl: apiUrl ?? getHome(), auth, clientId })
  }

  /** Name of the page of this screen in addresses. */
  protected abstract readonly pageName: string

  /** Changes parameters of the query: in the address if the dashboard is around the screen, else only here. */
  protected setSearch(change: Readonly<Record<string, string | undefined>>, replace = false): void {
    const { search } = this
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') search.delete(name)
      else search.set(name, value)
    }
    const query = search.toString()
    if (!this.navigate(query ? `${this.pageName}?${query}` : this.pageName, replace)) this.query = query
  }

  /** @returns whether something around the screen has gone there */
  protected navigate(page: string, replace = false): boolean {
    const detail: NavigateDetail = { page, replace }
    return !this.dispatchEvent(
      new CustomEvent('notif-admin-navigate', { bubbles: true, cancelable: true, composed: true, detail })
    )
  }

  /** Address of a page of the dashboard. */
  protected pageUrl(page: string): string {
    return this.scope?.pageUrl(page) ?? ''
  }
}

declare global {
  interface HTMLElementEventMap {
    /** A screen wants another page. `preventDefault()` says that the page around it has gone there. */
    'notif-admin-navigate': CustomEvent<NavigateDetail>
  }
}
