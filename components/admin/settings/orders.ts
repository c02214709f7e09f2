// What can be done in settings, each with its question: the answer is a secret to show, or nothing.

import type { Answer } from '../api/client.ts'
import type { AdminScope } from '../api/scope.ts'
import {
  blockMember,
  createEnvironment,
  createKey,
  endSession,
  patchEnvironment,
  revokeKey,
  rotateSecret,
  type ApiKey,
  type Member,
  type Session
} from '../api/settings.ts'
import { askDialog } from '../view/dialog.ts'
import { problemText } from '../view/feedback.ts'
import { showToast } from '../view/toast.ts'
import { settingWords as text } from '../words/settings.ts'
import { askEnvironment, askInsecure, askRotation } from './environments.ts'
import { askKey, askRevoke } from './keys.ts'
import type { ShownSecret } from './shown-secret.ts'

/** @returns the value of an answer; says what went wrong */
export function take<T>(answer: Answer<T>): T | undefined {
  if (answer.ok) return answer.value
  showToast({ isFailure: true, text: problemText(answer.problem) })
  return undefined
}

export async function orderEnvironment(scope: AdminScope): Promise<ShownSecret | undefined> {
  const body = await askEnvironment()
  const made = body && take(await createEnvironment(scope, body))
  return made && { title: `${made.title}: ${text.newSecret}`, value: made.clientSecret }
}

export async function orderRotation(scope: AdminScope): Promise<ShownSecret | undefined> {
  const grace = await askRotation()
  const rotated = grace === undefined ? undefined : take(await rotateSecret(scope, grace))
  return rotated && { title: text.newSecret, value: rotated.clientSecret }
}

export async function orderKey(scope: AdminScope): Promise<ShownSecret | undefined> {
  const body = await askKey()
  const made = body && take(await createKey(scope, body))
  return made?.key === undefined ? undefined : { title: text.keyIs(made.name), value: made.key }
}

export async function orderRevocation(scope: AdminScope, key: ApiKey): Promise<void> {
  if (!(await askRevoke(key))) return
  const answer = await revokeKey(scope, key.id)
  if (answer.ok) showToast({ text: text.isRevoked(key.name) })
  else take(answer)
}

export async function setSecureMode(scope: AdminScope, isOn: boolean): Promise<void> {
  if (isOn || (await askInsecure())) take(await patchEnvironment(scope, { secureMode: isOn }))
}

export async function orderBlock(scope: AdminScope, member: Member): Promise<void> {
  const isBlocked = member.blockedAt === undefined
  const isSure =
    !isBlocked ||
    (await askDialog({
      body: () => text.blockWhy,
      confirm: text.block,
      title: text.blockTitle(member.name),
      tone: 'destroy'
    }))
  if (isSure) take(await blockMember(scope, member.id, isBlocked))
}

export const orderEnd = async (scope: AdminScope, { id }: Session): Promise<void> =>
  void take(await endSession(scope, id))
