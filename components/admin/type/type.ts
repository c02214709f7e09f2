// `<notif-admin-type>`: what a type says on each channel and in each language, to whom, and whether it is right.

import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'

import { param } from '../../core/param.ts'
import type { TemplateFault, TypeContent, Version } from '../api/types.ts'
import { frameStyles } from '../send/frames.styles.ts'
import { loadFeed } from '../user/inbox.ts'
import { diffStyles } from '../view/diff.ts'
import { renderBlank, renderBone, renderProblem } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { TYPES } from '../view/icons.ts'
import type { Keys } from '../view/keys.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { typeWords as text } from '../words/types.ts'
import { askLanguage } from './ask.ts'
import { TypeData } from './data.ts'
import { Draft } from './draft.ts'
import { AdminEditor } from './editor.ts'
import { renderHead, renderStale } from './head.ts'
import { LivePreview } from './live-preview.ts'
import { Orders } from './orders.ts'
import { renderPreviewPane } from './preview-pane.ts'
import { renderSettings } from './settings.ts'
import { studioStyles } from './studio.styles.ts'
import { renderStudio } from './studio.ts'
import {
  addTemplate,
  createTemplate,
  findFault,
  formatKey,
  parseKey,
  removeTemplate,
  sortKeys
} from './template.ts'
import { styles } from './type.styles.ts'
import { renderVariants } from './variants.ts'
import { renderVersions } from './versions.ts'

/**
 * A type of notifications: its templates in an editor with a live preview, settings and versions.
 *
 * @tagname notif-admin-type
 * @summary A type of notifications: templates, live preview, settings, versions.
 */
export class NotifAdminType extends AdminScreen {
  static override styles = screenStyles(fields, diffStyles, frameStyles, studioStyles, styles)

  /** Id of the type. */
  @param() typeId: string | undefined

  #hasFeed = false
  readonly #draft = new Draft(this)
  readonly #preview = new LivePreview(this)
  readonly #orders = new Orders(this.#draft, () => this.#data.reload())
  readonly #data = new TypeData(this, this.#draft, {
    compared: () => this.search.get('v') ?? 'latest',
    id: () => this.#id
  })

  get #id(): string {
    return this.typeId ?? ''
  }

  protected get pageName(): string {
    return `types/${encodeURIComponent(this.#id)}`
  }

  get #isReadOnly(): boolean {
    return this.#data.head.value?.managedBy === 'files' || !this.scope?.can('types')
  }

  /** The send whose data the preview shows: the newest, unless the address names another one or none. */
  get #sendId(): string {
    const asked = this.search.get('send') ?? this.#data.variables.value?.sends[0] ?? ''
    return asked === 'none' ? '' : asked
  }

  /** What the server says about the text, else about the version that was saved. */
  get #faults(): readonly TemplateFault[] {
    const { faults } = this.#preview
    return faults.length > 0 || this.#draft.isChanged ? faults : (this.#draft.version?.faults ?? [])
  }

  protected override get keys(): Keys {
    return [
      { key: 'mod+s', run: () => void this.#orders.save(this.scope, this.#id), text: text.save },
      {
        key: 'mod+Enter',
        run: () => void this.#orders.publish(this.scope, this.#id, this.#data.head.etag),
        text: text.publishKey
      }
    ]
  }

  async #loadFeed(): Promise<void> {
    await this.updateComplete
    await loadFeed(this.renderRoot)
    this.#hasFeed = true
    this.requestUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (!customElements.get('notif-admin-editor')) customElements.define('notif-admin-editor', AdminEditor)
    void this.#loadFeed()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    if (changed.has('typeId')) this.#draft.close()
  }

  protected override updated(): void {
    const { content } = this.#draft
    const isReady = this.#data.variables.value ?? this.#data.variables.problem
    if (this.scope && content && isReady) this.#preview.show(this.scope, content, this.#sendId)
  }

  #keepMine(): void {
    this.#draft.keepMine()
    void this.#orders.save(this.scope, this.#id)
  }

  async #addLanguage(content: TypeContent, channel: string): Promise<void> {
    const locale = await askLanguage()
    if (locale === undefined) return
    const key = formatKey({ channel, id: '', locale })
    const copied = content.templates[channel] ?? createTemplate(channel, content.title)
    if (!content.templates[key]) this.#draft.edit(addTemplate(content, key, copied))
    this.setSearch({ template: key })
  }

  #use(content: TypeContent, key: string): void {
    this.#draft.edit(addTemplate(content, key, createTemplate(parseKey(key).channel, content.title)))
    this.setSearch({ template: key })
  }

  #renderStudio(content: TypeContent, version: Version): TemplateResult {
    const keys = sortKeys(content.templates)
    const asked = this.search.get('template') ?? ''
    const chosen = keys.includes(asked) ? asked : keys[0]
    const isReadOnly = this.#isReadOnly
    const faults = this.#faults
    return html`<section class="studio" id="template" aria-label=${text.parts.template}>
      ${renderVariants({
        chosen: chosen ?? '',
        content,
        isReadOnly,
        onAddLanguage: channel => void this.#addLanguage(content, channel),
        onChoose: key => this.setSearch({ template: key }, true),
        onUse: key => this.#use(content, key),
        wrong: new Set(faults.map(fault => findFault(fault).key))
      })}
      ${
        chosen === undefined
          ? renderBlank(TYPES, text.noPreview, text.emptyWhy)
          : renderStudio({
              chosen,
              content,
              faults,
              isChanged: this.#draft.isChanged,
              isReadOnly,
              number: version.number,
              onChooseField: name => this.setSearch({ field: name }, true),
              onEdit: changed => this.#draft.edit(changed),
              onRemove: key => this.#draft.edit(removeTemplate(content, key)),
              savedAt: this.#draft.savedAt,
              textField: this.search.get('field') ?? '',
              variables: this.#data.variables.value
            })
      }
      ${renderPreviewPane({
        hasFeed: this.#hasFeed,
        isPhone: this.search.get('width') === 'phone',
        onChange: change => this.setSearch(change, true),
        previews: this.#preview.previews ?? [],
        sendId: this.#sendId,
        sends: this.#data.variables.value?.sends ?? [],
        typeId: this.#id
      })}
    </section>`
  }

  #renderPart(content: TypeContent, version: Version): TemplateResult {
    const versions = this.#data.versions.value
    return html`${this.#renderStudio(content, version)}
      <section class="section" id="settings">
        ${renderSettings(content, this.#isReadOnly, changed => this.#draft.edit(changed))}
      </section>
      <section class="section" id="versions">
        ${
          versions
            ? renderVersions(versions, this.#data.diff.value, {
                canPublish: !this.#isReadOnly,
                onCompare: number => this.setSearch({ v: `${number}` }, true),
                onRollBack: number =>
                  void this.#orders.rollBack(this.scope, this.#id, number, this.#data.head.etag)
              })
            : nothing
        }
      </section>`
  }

  protected override render(): TemplateResult {
    const problem = this.#data.newest.problem ?? this.#data.head.problem
    const { content, version } = this.#draft
    const head = this.#data.head.value
    if (problem && !content) return renderProblem(problem, () => this.#data.newest.reload())
    return html`<div class="wrap">
      ${renderHead({
        draft: this.#draft,
        errors: this.#faults.length,
        head,
        id: this.#id,
        isReadOnly: this.#isReadOnly,
        orders: this.#orders,
        pageUrl: page => this.pageUrl(page),
        publishEtag: this.#data.head.etag,
        scope: this.scope,
        sendId: this.#sendId
      })}
      ${renderStale(this.#draft, () => this.#keepMine())}
      ${content && version ? this.#renderPart(content, version) : renderBone('xl')}
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-type': NotifAdminType
  }
}
