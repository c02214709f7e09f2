// `<notif-admin-sign-in>`: asks for the admin token, or sends the member to the company's provider.

import { html, LitElement, nothing, type TemplateResult } from 'lit'

import { object } from '../../core/param.ts'
import type { Api } from '../api/client.ts'
import { oidcUrl, readSignInOptions, signIn, type SignInOptions } from '../api/session.ts'
import { renderMark } from '../view/brand.ts'
import { controls } from '../view/controls.styles.ts'
import { problemText } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { FAILURE, icon } from '../view/icons.ts'
import { tokens } from '../view/tokens.styles.ts'
import { words } from '../words.ts'
import { styles } from './sign-in.styles.ts'

/** Where the member is sent after the sign-in with a provider. */
function pageAfter(): string {
  const page = location.pathname + location.search
  return page.endsWith('/sign-in') ? page.slice(0, -'/sign-in'.length) || '/' : page
}

/**
 * @tagname notif-admin-sign-in
 * @summary Sign-in of the dashboard.
 * @fires notif-admin-signed-in - With the session as `detail`.
 */
export class NotifAdminSignIn extends LitElement {
  static override styles = [tokens, controls, fields, styles]

  /** Routes of operators. */
  @object() api: Api | undefined

  #options: SignInOptions = { adminToken: true, oidc: null }
  #error = ''
  #isBusy = false

  protected override async firstUpdated(): Promise<void> {
    const answer = this.api && (await readSignInOptions(this.api))
    if (answer?.ok) this.#options = answer.value
    this.requestUpdate()
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>('.main, input')?.focus()
  }

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (!this.api || this.#isBusy) return
    this.#isBusy = true
    const token = new FormData(event.target as HTMLFormElement).get('token')
    const answer = await signIn(this.api, String(token).trim())
    this.#isBusy = false
    if (answer.ok) {
      const options = { bubbles: true, composed: true, detail: answer.value }
      this.dispatchEvent(new CustomEvent('notif-admin-signed-in', options))
      return
    }
    const { status } = answer.problem
    this.#error = status === 401 || status === 422 ? words.signIn.wrong : problemText(answer.problem)
    this.requestUpdate()
    this.renderRoot.querySelector('input')?.focus()
  }

  protected override render(): TemplateResult {
    const { adminToken, oidc } = this.#options
    return html`<main class="door">
      <div class="door-card">
        ${renderMark()}
        <div>
          <h1>${words.signIn.title}</h1>
          <p class="muted">${location.host}, ${words.brand}</p>
        </div>
        ${
          oidc && this.api
            ? html`<a class="button main" target="_self" href=${oidcUrl(this.api, pageAfter())}
                >${words.signIn.oidc(oidc.label)}</a
              >`
            : nothing
        }
        ${oidc && adminToken ? html`<div class="or">${words.signIn.or}</div>` : nothing}
        ${adminToken ? this.#renderForm(!oidc) : nothing}
      </div>
      <p class="door-foot">${words.signIn.foot}</p>
    </main>`
  }

  #renderForm(isMain: boolean): TemplateResult {
    const error = this.#error
    return html`<form class="form" @submit=${this.#onSubmit}>
      <label class="field"
        ><span>${words.signIn.token}</span
        ><input
          class="input mono"
          name="token"
          type="password"
          required
          autocomplete="current-password"
          aria-invalid=${error ? 'true' : nothing}
          aria-describedby="help error"
      /></label>
      <p class="field-error" id="error" role="alert" ?hidden=${!error}>${icon(FAILURE, 'small')}${error}</p>
      <p class="help" id="help">${words.signIn.help}</p>
      <button class="button ${isMain ? 'main' : ''}">${words.signIn.submit}</button>
    </form>`
  }
}
