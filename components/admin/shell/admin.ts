// `<notif-admin>`: the dashboard of operators. Signs in, follows the address, and shows the screen of the page.

import { ContextProvider } from '@lit/context'
import { html, LitElement, nothing, type TemplateResult } from 'lit'

import { param } from '../../core/param.ts'
import { createApi, type Api } from '../api/client.ts'
import { getHome } from '../api/home.ts'
import { Loader } from '../api/loader.ts'
import { adminContext, createScope, type AdminScope } from '../api/scope.ts'
import { readSession, signOut, signOutEverywhere, type Session } from '../api/session.ts'
import { readStatus, toTallies, type EnvironmentStatus } from '../api/status.ts'
import { choices } from '../view/choices.styles.ts'
import { controls } from '../view/controls.styles.ts'
import { feedback } from '../view/feedback.styles.ts'
import { renderBlank, renderProblem } from '../view/feedback.ts'
import { SEARCH } from '../view/icons.ts'
import { bindKeys, type Keys } from '../view/keys.ts'
import type { NavigateDetail } from '../view/screen.ts'
import { status } from '../view/status.styles.ts'
import { tokens } from '../view/tokens.styles.ts'
import { words } from '../words.ts'
import { openKeys, openPalette } from './lazy-palette.ts'
import { menu } from './menu.styles.ts'
import { renderAccountMenu, renderEnvironmentMenu, renderMoreMenu, type MenuProps } from './menus.ts'
import { narrow } from './narrow.styles.ts'
import { Router, type Place } from './router.ts'
import { applyScheme, adoptPageStyles } from './scheme.ts'
import { defineScreen, findScreen, hasScreen, NAVIGATION, type Screen } from './screens.ts'
import { shell } from './shell.styles.ts'
import { renderSide, renderTabBar, renderTopBar, type SideProps } from './side.ts'

const STATUS_INTERVAL_MS = 15_000

/** Properties that a screen gets from the address. */
type ScreenElement = HTMLElement & Record<string, unknown>

/**
 * The dashboard: sign-in, navigation and all screens. It is made for a page of its own, `/admin` of the server.
 *
 * @tagname notif-admin
 * @summary The dashboard of operators.
 */
export class NotifAdmin extends LitElement {
  static override styles = [tokens, controls, choices, feedback, status, shell, narrow, menu]

  /** Address of the server without a slash at its end. Default: the one that served the script. */
  @param() apiUrl: string | undefined

  /** Undefined until the session is known. */
  #session: Session | undefined
  #place: Place | undefined
  #screen: ScreenElement | undefined
  #problem: Parameters<typeof renderProblem>[0] | undefined
  #router: Router | undefined
  #unbindKeys: (() => void) | undefined
  #operators: Api = createApi('')
  readonly #context = new ContextProvider(this, { context: adminContext })
  readonly #status = new Loader<EnvironmentStatus>(this, { intervalMs: STATUS_INTERVAL_MS, read: readStatus })

  get #base(): string {
    return this.apiUrl ?? getHome()
  }

  get scope(): AdminScope | undefined {
    return this.#context.value
  }

  override connectedCallback(): void {
    super.connectedCallback()
    applyScheme()
    adoptPageStyles()
    this.#operators = createApi(this.#base, { csrfToken: () => this.#session?.csrfToken })
    this.#router = new Router(`${this.#base}/admin`, place => void this.#show(place))
    this.#unbindKeys = bindKeys(() => this.#keys)
    this.addEventListener('notif-admin-navigate', this.#onNavigate)
    this.addEventListener('notif-admin-signed-in', this.#onSignedIn)
    void this.#start()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#router?.stop()
    this.#unbindKeys?.()
  }

  get #keys(): Keys {
    if (!this.#session) return []
    return [
      { key: 'mod+k', run: this.#openPalette, text: words.palette.open },
      { key: '?', run: openKeys, text: words.keys.title },
      ...NAVIGATION.flat()
        .filter(({ page }) => hasScreen(page))
        .map(({ key, page }) => ({
          key: `g ${key}`,
          run: () => this.#go(page),
          text: words.pages[page]
        }))
    ]
  }

  async #start(): Promise<void> {
    const answer = await readSession(this.#operators)
    if (answer.ok) this.#session = answer.value
    else if (answer.problem.status !== 401) this.#problem = answer.problem
    await this.#show(this.#router!.place)
  }

  /** Goes where the address says: to the sign-in without a session, to the first environment if it names none. */
  async #show(place: Place): Promise<void> {
    const session = this.#session
    this.requestUpdate()
    if (!session) return this.#problem ? undefined : this.#showSignIn()
    const first = session.environments[0]?.clientId
    if (place.clientId === undefined || place.clientId === 'sign-in') {
      if (first !== undefined) this.#router!.go(this.#environmentUrl(first), true)
      return
    }
    const before = this.#place
    this.#place = place
    if (this.scope?.clientId !== place.clientId) this.#context.setValue(this.#createScope(place.clientId))
    const screen = findScreen(place.page, place.item)
    const isOther = !this.#screen || this.#screen.localName !== screen?.tag
    if (screen) await this.#showScreen(screen, place)
    else this.#screen = undefined
    document.title = `${words.pages[place.page as keyof typeof words.pages] ?? words.lost.title} · ${words.brand}`
    this.requestUpdate()
    if (before && (isOther || before.item !== place.item)) await this.#startPage()
  }

  async #showScreen(screen: Screen, place: Place): Promise<void> {
    await defineScreen(screen)
    // The member has gone on while the code was loaded.
    if (this.#place !== place) return
    if (this.#screen?.localName !== screen.tag)
      this.#screen = document.createElement(screen.tag) as ScreenElement
    Object.assign(this.#screen, { query: place.query }, screen.item && { [screen.item]: place.item })
  }

  async #showSignIn(): Promise<void> {
    const { NotifAdminSignIn } = await import('../sign-in/sign-in.ts')
    if (!customElements.get('notif-admin-sign-in'))
      customElements.define('notif-admin-sign-in', NotifAdminSignIn)
    const page = document.createElement('notif-admin-sign-in') as InstanceType<typeof NotifAdminSignIn>
    page.api = this.#operators
    this.#screen = page as unknown as ScreenElement
    document.title = `${words.signIn.title} · ${words.brand}`
    this.requestUpdate()
  }

  /** A new page starts at its top, and a screen reader with its heading. */
  async #startPage(): Promise<void> {
    await this.updateComplete
    scrollTo({ top: 0 })
    this.renderRoot.querySelector<HTMLElement>('.sheet')?.focus({ preventScroll: true })
  }

  #createScope(clientId: string): AdminScope {
    return createScope({
      apiUrl: this.#base,
      clientId,
      csrfToken: () => this.#session?.csrfToken,
      member: this.#session?.member,
      onSignedOut: () => this.#endSession()
    })
  }

  #endSession(): void {
    this.#session = this.#place = undefined
    this.#context.setValue(undefined)
    void this.#showSignIn()
  }

  readonly #signOut = async (isEverywhere: boolean): Promise<void> => {
    await (isEverywhere ? signOutEverywhere : signOut)(this.#operators)
    this.#endSession()
  }

  readonly #onSignedIn = ({ detail }: CustomEvent<Session>): void => {
    this.#session = detail
    this.#screen = undefined
    void this.#show(this.#router!.place)
  }

  readonly #onNavigate = (event: CustomEvent<NavigateDetail>): void => {
    event.preventDefault()
    const { page, replace } = event.detail
    // A screen stays until the code of the next one is loaded. A filter that was typed there would lead back to it.
    if (replace && findScreen(this.#place!.page, this.#place!.item)?.tag !== this.#screen?.localName) return
    this.#router?.go(this.#pageUrl(page), replace)
  }

  readonly #go = (page: string): void => this.#router?.go(this.#pageUrl(page))

  readonly #openPalette = (): void => void (this.scope && openPalette(this.scope, this.#go))

  readonly #environmentUrl = (clientId: string): string =>
    `${this.#base}/admin/${encodeURIComponent(clientId)}/now`

  readonly #pageUrl = (page: string): string => this.scope?.pageUrl(page) ?? ''

  protected override render(): TemplateResult | HTMLElement | typeof nothing {
    const session = this.#session
    const retry = (): void => location.reload()
    if (this.#problem) return html`<div class="lost">${renderProblem(this.#problem, retry)}</div>`
    if (!session) return this.#screen ?? nothing
    const place = this.#place
    if (!place)
      return html`<div class="lost">
        ${renderBlank(SEARCH, words.shell.noEnvironment, words.shell.noEnvironmentWhy)}
      </div>`
    const { clientId = '', page } = place
    const tallies = toTallies(this.#status.value)
    const props: SideProps & MenuProps = {
      ...tallies,
      clientId,
      environment: session.environments.find(one => one.clientId === clientId)?.name ?? clientId,
      environments: session.environments,
      environmentUrl: this.#environmentUrl,
      isOnline: this.#status.problem?.status !== 0,
      member: session.member,
      onKeys: openKeys,
      onPalette: this.#openPalette,
      onSignOut: this.#signOut,
      page,
      pageUrl: this.#pageUrl
    }
    return html`<button type="button" class="skip" @click=${() => this.#startPage()}>
        ${words.shell.skip}
      </button>
      <div class="app">
        ${renderSide(props)}${renderTopBar(props)}
        <main class="sheet" tabindex="-1">
          ${this.#screen ?? renderBlank(SEARCH, words.lost.title, words.lost.text)}
        </main>
        ${renderTabBar(props)}
      </div>
      ${renderEnvironmentMenu(props)}${renderAccountMenu(props)}${renderMoreMenu(props)}`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin': NotifAdmin
  }
  interface HTMLElementEventMap {
    'notif-admin-signed-in': CustomEvent<Session>
  }
}
