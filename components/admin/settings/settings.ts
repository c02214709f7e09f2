// `<notif-admin-settings>`: who may do what, and does it work: environments, keys, providers, members, audit, settings of the server.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'

import { Loader } from '../api/loader.ts'
import type { Problem } from '../api/problem.ts'
import { probeQueue, type ProviderProbe } from '../api/queues.ts'
import type { AdminScope } from '../api/scope.ts'
import {
  exportAudit,
  listAudit,
  listEnvironments,
  listKeys,
  listMembers,
  listSessions,
  readServerSettings
} from '../api/settings.ts'
import { readStatus } from '../api/status.ts'
import { renderBlank, renderBone, renderProblemNote } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { DOWNLOAD, icon, LOCK, PLUS } from '../view/icons.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { words } from '../words.ts'
import { settingWords as text } from '../words/settings.ts'
import { renderEnvironments, renderEnvironmentSecret } from './environments.ts'
import { renderKeys } from './keys.ts'
import {
  orderBlock,
  orderEnd,
  orderEnvironment,
  orderKey,
  orderRevocation,
  orderRotation,
  setSecureMode,
  take
} from './orders.ts'
import { renderAuditPage, renderMembers, renderSessions } from './people.ts'
import { renderSections, type Section } from './sections.ts'
import { renderProviders, renderServer } from './server.ts'
import { styles } from './settings.styles.ts'
import { renderSecret, type ShownSecret } from './shown-secret.ts'

/**
 * Environments and secrets, API keys, providers with probes, members and sessions, the audit log and the settings of the server.
 *
 * @tagname notif-admin-settings
 * @summary Environments, keys, providers, members, audit log and settings of the server.
 */
export class NotifAdminSettings extends AdminScreen {
  static override styles = screenStyles(fields, styles)
  protected readonly pageName = 'settings'

  #secret: (ShownSecret & { readonly section: Section }) | undefined
  #probing: ReadonlySet<string> = new Set()
  #probes: ReadonlyMap<string, ProviderProbe> = new Map()
  readonly #environments = new Loader(this, { read: listEnvironments })
  readonly #keys = new Loader(this, { read: listKeys })
  readonly #status = new Loader(this, { read: readStatus })
  readonly #members = new Loader(this, { read: listMembers })
  readonly #sessions = new Loader(this, { read: listSessions })
  readonly #server = new Loader(this, { read: readServerSettings })
  readonly #audit = new Loader(this, {
    key: () => `${this.search.get('before') ?? ''} ${this.search.get('all') ?? ''}`,
    read: (scope, signal) =>
      listAudit(scope, { all: this.search.has('all'), before: this.search.get('before') }, signal)
  })

  /** The section that the address names, until all are loaded: what loads above it moves it. */
  #target: string | null = null

  get #hasAll(): boolean {
    const loaders = [this.#environments, this.#keys, this.#status, this.#members, this.#sessions, this.#audit]
    return loaders.every(({ problem, value }) => value ?? problem)
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('query')) this.#target = this.search.get('section')
    if (!this.#target) return
    this.renderRoot.querySelector(`#${CSS.escape(this.#target)}`)?.scrollIntoView()
    if (this.#hasAll) this.#target = null
  }

  /** Runs an order, shows the secret that it made, and reads again what it changed. */
  async #order(
    section: Section,
    run: (scope: AdminScope) => Promise<ShownSecret | undefined | void>,
    ...changed: readonly { reload(): Promise<void> }[]
  ): Promise<void> {
    if (!this.scope) return
    const secret = await run(this.scope)
    if (secret) this.#secret = { ...secret, section }
    this.requestUpdate()
    await Promise.all(changed.map(one => one.reload()))
  }

  async #probe(queue: string): Promise<void> {
    if (!this.scope) return
    this.#probing = new Set([...this.#probing, queue])
    this.requestUpdate()
    const result = take(await probeQueue(this.scope, queue))
    this.#probing = new Set([...this.#probing].filter(one => one !== queue))
    if (result) this.#probes = new Map([...this.#probes, [queue, result]])
    this.requestUpdate()
  }

  readonly #hideSecret = (): void => {
    this.#secret = undefined
    this.requestUpdate()
  }

  #renderSection(
    section: Section,
    loader: { readonly problem: Problem | undefined; reload(): Promise<void> },
    content: unknown,
    extra: { readonly why?: string; readonly actions?: unknown } = {}
  ): TemplateResult {
    const why = extra.why ?? (section === 'keys' ? '' : text.why[section])
    const secret = this.#secret?.section === section ? this.#secret : undefined
    return html`<section class="section stacked" id=${section} aria-label=${text.sections[section]}>
      <div class="section-head">
        <h2>${text.sections[section]}</h2>
        <p>${why}</p>
        <span class="end">${extra.actions ?? nothing}</span>
      </div>
      ${secret ? renderSecret(secret, this.#hideSecret) : nothing}
      ${loader.problem ? renderProblemNote(loader.problem, () => void loader.reload()) : nothing}
      ${content ?? (loader.problem ? nothing : renderBone('xl'))}
    </section>`
  }

  #renderAll(): TemplateResult {
    const { scope } = this
    const current = scope?.clientId ?? ''
    const environments = this.#environments.value?.environments
    const environment = environments?.find(({ clientId }) => clientId === current)
    const keys = this.#keys.value?.keys
    const button = (label: string, run: () => void): TemplateResult =>
      html`<button type="button" class="button" @click=${run}>${icon(PLUS, 'small')}${label}</button>`
    return html`${this.#renderSection(
      'environments',
      this.#environments,
      environments &&
        renderEnvironments(environments, current, clientId =>
          this.pageUrl('settings').replace(
            `/${encodeURIComponent(current)}/`,
            `/${encodeURIComponent(clientId)}/`
          )
        ),
      {
        actions: button(
          text.newEnvironment,
          () => void this.#order('environments', orderEnvironment, this.#environments)
        )
      }
    )}
    ${this.#renderSection(
      'keys',
      this.#keys,
      keys &&
        html`${
          environment
            ? renderEnvironmentSecret(environment, {
                onRotate: () => void this.#order('keys', orderRotation, this.#environments),
                onSecureMode: isOn =>
                  void this.#order('keys', one => setSecureMode(one, isOn), this.#environments)
              })
            : nothing
        }${renderKeys(keys, key => void this.#order('keys', one => orderRevocation(one, key), this.#keys))}`,
      {
        actions: button(text.newKey, () => void this.#order('keys', orderKey, this.#keys)),
        why: text.why.keys(environment?.title || current)
      }
    )}
    ${this.#renderSection(
      'providers',
      this.#status,
      this.#status.value &&
        renderProviders(
          this.#status.value.queues,
          { results: this.#probes, running: this.#probing },
          queue => void this.#probe(queue)
        )
    )}
    ${this.#renderSection(
      'members',
      this.#members,
      this.#members.value &&
        html`${renderMembers(
          this.#members.value.members,
          scope?.member?.id,
          member => void this.#order('members', one => orderBlock(one, member), this.#members)
        )}
        ${
          this.#sessions.value
            ? html`<div class="section-head">
                  <h3>${text.sessions}</h3>
                  <p>${text.sessionWhy}</p>
                </div>
                ${renderSessions(
                  this.#sessions.value.sessions,
                  session => void this.#order('members', one => orderEnd(one, session), this.#sessions)
                )}`
            : nothing
        }`
    )}
    ${this.#renderSection(
      'audit',
      this.#audit,
      this.#audit.value && renderAuditPage(this.#audit.value, this.search, change => this.setSearch(change)),
      {
        actions: html`<button
          type="button"
          class="button"
          @click=${() => void this.#order('audit', async one => void take(await exportAudit(one, this.search.has('all'))))}
        >
          ${icon(DOWNLOAD, 'small')}${text.export}
        </button>`
      }
    )}
    ${this.#renderSection('server', this.#server, this.#server.value && renderServer(this.#server.value))}`
  }

  protected override render(): TemplateResult {
    const section = this.search.get('section') ?? 'environments'
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text"><h1>${words.pages.settings}</h1></div>
      </header>
      ${
        this.scope?.isOperator
          ? html`<div class="layout">
              ${renderSections(section, one => this.setSearch({ section: one }, true))}
              <div>${this.#renderAll()}</div>
            </div>`
          : renderBlank(LOCK, text.adminOnly, text.adminOnlyWhy)
      }
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-settings': NotifAdminSettings
  }
}
