// What the screen of a type asks before it publishes, adds a language, promotes or sends a test.

import { html, nothing } from 'lit'

import type { AdminScope } from '../api/scope.ts'
import { readPromotion, type Promotion } from '../api/types.ts'
import { askDialog } from '../view/dialog.ts'
import { renderDiff } from '../view/diff.ts'
import { problemText } from '../view/feedback.ts'
import { showToast } from '../view/toast.ts'
import { typeWords as text } from '../words/types.ts'

export const askPublish = async (version: number): Promise<boolean> =>
  Boolean(
    await askDialog({
      body: () => text.publishWhy,
      confirm: text.publish(version),
      title: text.publishTitle(version)
    })
  )

export const askRollBack = async (version: number): Promise<boolean> =>
  Boolean(
    await askDialog({
      body: () => text.rollBackWhy,
      confirm: text.rollBack,
      title: text.rollBackTitle(version)
    })
  )

export const askDiscard = async (): Promise<boolean> =>
  Boolean(
    await askDialog({
      body: () => text.discardWhy,
      confirm: text.discard,
      title: text.discardTitle,
      tone: 'destroy'
    })
  )

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

export async function askLanguage(): Promise<string | undefined> {
  const values = await askDialog({
    body: () =>
      html`<p>${text.addLanguageWhy}</p>
        <label class="field"
          ><span>${text.languageTag}</span
          ><input class="input mono" name="locale" autocomplete="off" spellcheck="false"
        /></label>`,
    canConfirm: form => isLanguage(String(form.get('locale') ?? '')),
    confirm: text.add,
    title: text.addLanguageTitle
  })
  return values ? Intl.getCanonicalLocales(String(values.get('locale')))[0] : undefined
}

export async function askTestAddress(): Promise<string | undefined> {
  const values = await askDialog({
    body: () =>
      html`<p>${text.testWhy}</p>
        <label class="field"
          ><span>${text.testTo}</span><input class="input" name="email" type="email" autocomplete="email"
        /></label>`,
    canConfirm: form => String(form.get('email')).includes('@'),
    confirm: text.send,
    title: text.testTitle
  })
  return values ? String(values.get('email')) : undefined
}

/** First the environment, then what would change there. */
export async function askPromotion(
  scope: AdminScope,
  type: string,
  environments: readonly { readonly clientId: string; readonly name?: string | undefined }[]
): Promise<Promotion | undefined> {
  const others = environments.filter(({ clientId }) => clientId !== scope.clientId)
  const chosen = await askDialog({
    body: () =>
      others.length === 0
        ? text.noTarget
        : html`<label class="field"
            ><span>${text.target}</span
            ><select class="input" name="to">
              ${others.map(({ clientId, name }) => html`<option value=${clientId}>${name ?? clientId}</option>`)}
            </select></label
          >`,
    canConfirm: () => others.length > 0,
    confirm: text.difference,
    title: text.promoteTitle(type)
  })
  if (!chosen) return undefined
  const to = String(chosen.get('to'))
  const answer = await readPromotion(scope, type, to)
  if (!answer.ok) {
    showToast({ isFailure: true, text: problemText(answer.problem) })
    return undefined
  }
  const { diff, to: target } = answer.value
  const isSure = await askDialog({
    body: () =>
      html`<p>${text.promoteWhy} ${target.version === null ? text.isNew : nothing}</p>
        ${diff ? renderDiff(diff, text.difference) : html`<p>${text.same}</p>`}`,
    canConfirm: () => diff !== '',
    confirm: text.promoteConfirm(to),
    title: text.promoteTitle(type)
  })
  return isSure ? answer.value : undefined
}
