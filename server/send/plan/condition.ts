// Evaluates `options.email.condition`, which decides whether the email of a send goes out.
//
// A condition is an expression as in `{% if ... %}`, with parameters bare or in braces (`plan == "pro"`, `{{ count }} > 3`),
// or a Liquid text, which means no if it renders to an empty text or `false`. Its syntax is checked when the send is
// accepted; it is evaluated when the email would go out, so for a schedule at its time.

import type { Channel } from '#protocol'

import type { RenderOrigin } from '../../types/templates/render-pool.ts'
import type { FieldFault, Renderer } from '../../types/templates/render.ts'
import { templateData, type Send } from '../send-request.ts'
import { describeDecision, isOutgoing, type Decision } from './decision.ts'
import type { Plan } from './planned.ts'

const OPERAND =
  /'[^']*'|"[^"]*"|-?\d+(?:\.\d+)?(?![\w.])|[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[(?:\d+|'[^']*'|"[^"]*")\])*/uy
const OPERATOR = /==|!=|<>|>=|<=|>|<|(?:contains|and|or)(?![\p{L}\p{N}_-])/uy
const SPACE = /(?:\s|\{\{-?|-?\}\})*/uy
const NOT = /not(?![\p{L}\p{N}_-])/uy

/** Liquid that renders to `true` if the email goes out; or the fault of the condition. */
type Compiled = { readonly text: string } | { readonly fault: string }

function compile(condition: string): Compiled {
  if (condition.includes('{%')) return { text: condition }
  const tokens: string[] = []
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const [token] = pattern.exec(condition) ?? []
    if (token === undefined) return false
    at += token.length
    if (pattern !== SPACE) tokens.push(token)
    return true
  }
  const fault = (expected: string): Compiled => ({
    fault: `Expected ${expected} at character ${at + 1}, as in plan == "pro" and count > 3.`
  })
  do {
    take(SPACE)
    if (take(NOT)) take(SPACE)
    if (!take(OPERAND)) return fault('a merge tag, a text in quotes or a number')
    take(SPACE)
  } while (at < condition.length && take(OPERATOR))
  return at < condition.length
    ? fault('==, !=, <, >, <=, >=, contains, and, or')
    : { text: `{% if ${tokens.join(' ')} %}true{% endif %}` }
}

const isAbsent = (condition: string | undefined): condition is undefined | '' =>
  condition === undefined || condition.trim() === ''

/** @returns the fault of the condition, or undefined if it is valid or absent */
export function findConditionFault(
  { options }: Pick<Send, 'options'>,
  check: Renderer['check']
): FieldFault['detail'] | undefined {
  const condition = options?.email?.condition
  if (isAbsent(condition)) return undefined
  const compiled = compile(condition)
  return 'fault' in compiled ? compiled.fault : check('EMAIL', { condition: compiled.text })[0]?.detail
}

/** Removes the email from a plan if its condition is not met, or cannot be rendered. */
export async function applyCondition(
  renderer: Renderer,
  origin: RenderOrigin,
  send: Send,
  planned: Plan
): Promise<Plan> {
  const condition = send.options?.email?.condition
  const decision = planned.decisions.get('EMAIL')
  if (isAbsent(condition) || decision === undefined || !isOutgoing(decision)) return planned
  const discarded = await evaluate(renderer, origin, send, planned, condition)
  if (discarded === undefined) return planned
  const isOther = ({ channel }: { readonly channel: Channel }): boolean => channel !== 'EMAIL'
  const held =
    decision === 'held'
      ? describeDecision(decision, 'EMAIL', send.type, planned.details.get('EMAIL'))
      : undefined
  const waiting = [...planned.digests, ...planned.delays].find(({ channel }) => channel === 'EMAIL')
  return {
    ...planned,
    decisions: new Map([...planned.decisions, ['EMAIL', discarded.decision]]),
    delays: planned.delays.filter(isOther),
    deliveries: planned.deliveries.filter(isOther),
    details: new Map([...planned.details, ['EMAIL', discarded.detail]]),
    digests: planned.digests.filter(isOther),
    messages: [
      ...planned.messages.filter(message => message !== waiting?.message && message !== held),
      describeDecision(discarded.decision, 'EMAIL', send.type, discarded.detail)!
    ]
  }
}

/** @returns why the email is discarded, or undefined if the condition is met */
async function evaluate(
  renderer: Renderer,
  origin: RenderOrigin,
  send: Send,
  { user }: Plan,
  condition: string
): Promise<{ readonly decision: Decision; readonly detail: string } | undefined> {
  const compiled = compile(condition)
  if ('fault' in compiled) {
    return { decision: 'render-failed', detail: `its condition cannot be parsed. ${compiled.fault}` }
  }
  const rendered = await renderer.render({
    ...origin,
    channel: 'EMAIL',
    content: { condition: compiled.text },
    data: templateData(send, user),
    replace: {}
  })
  if (!rendered.ok) {
    return { decision: 'render-failed', detail: `its condition cannot be rendered: ${rendered.detail}` }
  }
  const result = (rendered.fields['condition'] ?? '').trim()
  return result === '' || result === 'false' ? { decision: 'condition-false', detail: condition } : undefined
}
