// `<notif-admin-provider>`: gives the screens inside it one environment and a key.

import { ContextProvider } from '@lit/context'
import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit'

import { object, param } from '../../core/param.ts'
import { getHome } from '../api/home.ts'
import { adminContext, createScope } from '../api/scope.ts'

/**
 * Gives screens of the dashboard that stand inside it their environment, for pages of your own back office.
 *
 * @tagname notif-admin-provider
 * @summary Environment and key for screens of the dashboard on your own pages.
 * @slot - Your page, with screens such as `<notif-admin-sends>`.
 */
export class NotifAdminProvider extends LitElement {
  static override styles = css`
    :host {
      display: contents;
    }
  `

  /** Address of the server without a slash at its end. Default: the one that served the script. */
  @param() apiUrl: string | undefined
  /** Client id of the environment. */
  @param() clientId: string | undefined
  /** Returns an API key, which is sent as a Bearer token. Without it, the session of the dashboard is used. */
  @object() auth: (() => string | Promise<string>) | undefined

  readonly #context = new ContextProvider(this, { context: adminContext })

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('apiUrl') && !changed.has('clientId') && !changed.has('auth')) return
    const { apiUrl = getHome(), auth, clientId } = this
    this.#context.setValue(clientId === undefined ? undefined : createScope({ apiUrl, auth, clientId }))
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-provider': NotifAdminProvider
  }
}
