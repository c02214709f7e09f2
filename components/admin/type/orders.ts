// What can be done with a type: save, publish, roll back, promote, export, send a test.

import { saveText } from '../api/client.ts'
import type { AdminScope } from '../api/scope.ts'
import { readSend } from '../api/sends.ts'
import { readSession } from '../api/session.ts'
import { exportType, promote, publish } from '../api/types.ts'
import { problemText } from '../view/feedback.ts'
import { showToast } from '../view/toast.ts'
import { typeWords as text } from '../words/types.ts'
import { askDiscard, askPromotion, askPublish, askRollBack, askTestAddress } from './ask.ts'
import type { Draft } from './draft.ts'

const fail = (problem: Parameters<typeof problemText>[0]): void =>
  showToast({ isFailure: true, text: problemText(problem) })

export class Orders {
  readonly #draft: Draft
  readonly #reload: () => Promise<void>

  /** @param reload - reads again what a publication changes */
  constructor(draft: Draft, reload: () => Promise<void>) {
    this.#draft = draft
    this.#reload = reload
  }

  async save(scope: AdminScope | undefined, id: string): Promise<number | undefined> {
    if (!scope?.can('types')) return undefined
    const saved = await this.#draft.save(scope, id)
    if (saved) {
      showToast({ text: text.savedAs(saved.number) })
      await this.#reload()
    } else if (this.#draft.problem) fail(this.#draft.problem)
    return saved?.number
  }

  async publish(scope: AdminScope | undefined, id: string, etag: string | undefined): Promise<void> {
    if (!scope?.can('types')) return
    const number = this.#draft.isChanged ? await this.save(scope, id) : this.#draft.version?.number
    if (number === undefined || !(await askPublish(number))) return
    await this.#publish(scope, id, number, etag, text.published(number))
  }

  async rollBack(
    scope: AdminScope | undefined,
    id: string,
    number: number,
    etag: string | undefined
  ): Promise<void> {
    if (scope && (await askRollBack(number)))
      await this.#publish(scope, id, number, etag, text.rolledBack(number))
  }

  async #publish(
    scope: AdminScope,
    id: string,
    number: number,
    etag: string | undefined,
    done: string
  ): Promise<void> {
    const answer = await publish(scope, id, number, etag)
    if (answer.ok) showToast({ text: done })
    else fail(answer.problem)
    await this.#reload()
  }

  async discard(): Promise<void> {
    if (await askDiscard()) this.#draft.discard()
  }

  async promote(scope: AdminScope, id: string): Promise<void> {
    const session = await readSession(scope.operators)
    if (!session.ok) return fail(session.problem)
    const promotion = await askPromotion(scope, id, session.value.environments)
    if (!promotion) return
    const answer = await promote(scope, id, promotion)
    if (answer.ok) showToast({ text: text.promoted(promotion.to.clientId) })
    else fail(answer.problem)
  }

  async export(scope: AdminScope, id: string): Promise<void> {
    const answer = await exportType(scope, id)
    if (!answer.ok) return fail(answer.problem)
    saveText(answer.value.text, 'application/yaml', answer.value.file)
  }

  /** An email with the draft in it, so that nothing has to be published. */
  async test(scope: AdminScope, id: string, sendId: string): Promise<void> {
    const template = this.#draft.content?.templates['EMAIL']
    const address = template && (await askTestAddress())
    if (!address) return
    const sent = sendId ? await readSend(scope, sendId) : undefined
    const request = sent?.ok ? (JSON.parse(sent.value.request ?? '{}') as { parameters?: object }) : {}
    const answer = await scope.api.post('/sender', {
      body: {
        email: template,
        forceChannels: ['EMAIL'],
        parameters: request.parameters ?? {},
        to: { email: address, id: address },
        type: id
      },
      headers: { 'idempotency-key': crypto.randomUUID() }
    })
    if (answer.ok) showToast({ text: text.testSent })
    else fail(answer.problem)
  }
}
