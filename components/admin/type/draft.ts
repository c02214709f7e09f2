// The text that is being edited: what it was read as, whether it is saved, and what to do if somebody else saved meanwhile.

import type { ReactiveControllerHost } from 'lit'

import type { Problem } from '../api/problem.ts'
import type { AdminScope } from '../api/scope.ts'
import {
  readDiff,
  readDraft,
  saveDraft,
  type TypeDiff,
  type TypeContent,
  type Version
} from '../api/types.ts'

/** Somebody else saved: their version and what it changed since the one that this text began with. */
export interface Stale {
  readonly theirs: Version
  readonly etag: string | undefined
  readonly diff: TypeDiff | undefined
}

export class Draft {
  content: TypeContent | undefined
  stale: Stale | undefined
  problem: Problem | undefined
  savedAt: string | undefined
  isSaving = false

  #base: Version | undefined
  #etag: string | undefined
  readonly #host: ReactiveControllerHost

  constructor(host: ReactiveControllerHost) {
    this.#host = host
  }

  get version(): Version | undefined {
    return this.#base
  }

  get isChanged(): boolean {
    return this.content !== undefined && this.content !== this.#base?.type
  }

  /** Begins again with a version that was read or saved. */
  open(version: Version, etag: string | undefined): void {
    this.#base = version
    this.#etag = etag
    this.content = version.type
    this.savedAt = version.createdAt
    this.stale = this.problem = undefined
    this.#host.requestUpdate()
  }

  close(): void {
    this.#base = this.content = this.stale = this.problem = undefined
  }

  edit(content: TypeContent): void {
    this.content = content
    this.#host.requestUpdate()
  }

  discard(): void {
    this.edit(this.#base!.type)
  }

  /** @returns the saved version */
  async save(scope: AdminScope, id: string): Promise<Version | undefined> {
    const { content } = this
    if (!content || this.isSaving) return undefined
    this.isSaving = true
    this.#host.requestUpdate()
    const answer = await saveDraft(scope, id, content, this.#etag)
    this.isSaving = false
    if (answer.ok) {
      const isEditedMeanwhile = this.content !== content
      const edited = this.content
      this.open(answer.value, answer.etag)
      if (isEditedMeanwhile && edited) this.edit(edited)
      return answer.value
    }
    this.problem = answer.problem
    if (answer.problem.status === 412) await this.#readTheirs(scope, id)
    this.#host.requestUpdate()
    return undefined
  }

  async #readTheirs(scope: AdminScope, id: string): Promise<void> {
    const [draft, diff] = await Promise.all([
      readDraft(scope, id),
      readDiff(scope, id, `${this.#base!.number}`, 'latest')
    ])
    if (!draft.ok) return void (this.problem = draft.problem)
    this.problem = undefined
    this.stale = { diff: diff.ok ? diff.value : undefined, etag: draft.etag, theirs: draft.value }
  }

  /** The next save goes over theirs, which stays in the list of versions. */
  keepMine(): void {
    if (!this.stale) return
    const { content } = this
    this.open(this.stale.theirs, this.stale.etag)
    if (content) this.edit(content)
  }

  takeTheirs(): void {
    if (this.stale) this.open(this.stale.theirs, this.stale.etag)
  }
}
