// The preview of what is being typed: asked for when typing rests, and the last one stays while a template has a fault.

import type { ReactiveController, ReactiveControllerHost } from 'lit'

import type { AdminScope } from '../api/scope.ts'
import { readPreviews, type Preview, type TemplateFault, type TypeContent } from '../api/types.ts'

const TYPING_MS = 250

export class LivePreview implements ReactiveController {
  previews: readonly Preview[] | undefined
  faults: readonly TemplateFault[] = []

  readonly #host: ReactiveControllerHost
  #timer: ReturnType<typeof setTimeout> | undefined
  #abort = new AbortController()
  #shown: readonly unknown[] = []

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer)
    this.#abort.abort()
    this.#shown = []
  }

  /** Asks again if anything differs from the last call. */
  show(scope: AdminScope, content: TypeContent, trackingId: string): void {
    const wanted = [scope, content.templates, trackingId]
    if (wanted.every((one, index) => one === this.#shown[index])) return
    const isFirst = this.#shown.length === 0
    this.#shown = wanted
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#read(scope, content, trackingId), isFirst ? 0 : TYPING_MS)
  }

  async #read(scope: AdminScope, { id, templates }: TypeContent, trackingId: string): Promise<void> {
    this.#abort.abort()
    const { signal } = (this.#abort = new AbortController())
    const body = { locales: 'all' as const, templates, ...(trackingId && { trackingId }) }
    const answer = await readPreviews(scope, id, body, signal)
    if (signal.aborted) return
    if (answer.ok) {
      this.previews = answer.value.previews
      this.faults = []
    } else if (!answer.problem.isAborted) {
      const { detail, errors = [], title } = answer.problem
      this.faults = errors.length > 0 ? errors : [{ detail: detail || title }]
    }
    this.#host.requestUpdate()
  }
}
