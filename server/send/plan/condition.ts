// `options.email.condition`: whether the mail of a send goes out, said in the words of its templates.
//
// Either what may stand in `{% if ... %}`, with merge tags bare or in braces (`plan == "pro"`, `{{ count }} > 3`), or a
// whole Liquid text, which says no by coming to nothing or to `false`. It is asked when the mail would go out, so a
// schedule asks at its time; what is wrong with it is said when it arrives.

import type { FieldFault, Renderer } from '../../types/templates/render.ts'
import { templateData, type Send } from '../send-request.ts'
import { isOut, sentenceOf, type Decision } from './decision.ts'
import type { Plan } from './plan.ts'

const OPERAND =
  /'[^']*'|"[^"]*"|-?\d+(?:\.\d+)?(?![\w.])|[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[(?:\d+|'[^']*'|"[^"]*")\])*/uy
const OPERATOR = /==|!=|<>|>=|<=|>|<|(?:contains|and|or)(?![\p{L}\p{N}_-])/uy
const SPACE = /(?:\s|\{\{-?|-?\}\})*/uy
const NOT = /not(?![\p{L}\p{N}_-])/uy

/** Liquid that comes to `true` where the mail goes out; or what is wrong with the condition. */
type Compiled = { readonly text: string } | { readonly fault: string }

function compile(condition: string): Compiled {
  if (condition.includes('{%')) return { text: condition }
  const words: string[] = []
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const [found] = pattern.exec(condition) ?? []
    if (found === undefined) return false
    at += found.length
    if (pattern !== SPACE) words.push(found)
    return true
  }
  const wrong = (what: string): Compiled => ({
    fault: `Expected ${what} at character ${at + 1}, as in plan == "pro" and count > 3.`
  })
  do {
    take(SPACE)
    if (take(NOT)) take(SPACE)
    if (!take(OPERAND)) return wrong('a merge tag, a text in quotes or a number')
    take(SPACE)
  } while (at < condition.length && take(OPERATOR))
  return at < condition.length
    ? wrong('==, !=, <, >, <=, >=, contains, and, or')
    : { text: `{% if ${words.join(' ')} %}true{% endif %}` }
}

const isAbsent = (condition: string | undefined): condition is undefined | '' =>
  condition === undefined || condition.trim() === ''

/** What is wrong with a condition; undefined: nothing. */
export function conditionFault(
  { options }: Pick<Send, 'options'>,
  check: Renderer['check']
): FieldFault['detail'] | undefined {
  const condition = options?.email?.condition
  if (isAbsent(condition)) return undefined
  const compiled = compile(condition)
  return 'fault' in compiled ? compiled.fault : check('EMAIL', { condition: compiled.text })[0]?.detail
}

/** The plan without the mail that its condition holds back. */
export async function withCondition(renderer: Renderer, send: Send, planned: Plan): Promise<Plan> {
  const condition = send.options?.email?.condition
  const planning = planned.decisions.get('EMAIL')
  if (isAbsent(condition) || planning === undefined || !isOut(planning)) return planned
  const verdict = await ask(renderer, send, planned, condition)
  if (verdict === undefined) return planned
  const [decision, detail] = verdict
  const rest = <T extends { readonly channel: string }>(all: readonly T[]): T[] =>
    all.filter(({ channel }) => channel !== 'EMAIL')
  return {
    ...planned,
    decisions: new Map([...planned.decisions, ['EMAIL', decision]]),
    deliveries: rest(planned.deliveries),
    digests: rest(planned.digests),
    messages: [
      ...planned.messages.filter(text => !text.startsWith('EMAIL waits')),
      sentenceOf(decision, 'EMAIL', send.type, detail)!
    ]
  }
}

/** @returns why not; undefined: it goes out */
async function ask(
  renderer: Renderer,
  send: Send,
  { user }: Plan,
  condition: string
): Promise<readonly [Decision, string] | undefined> {
  const compiled = compile(condition)
  if ('fault' in compiled) return ['render-failed', `its condition cannot be read. ${compiled.fault}`]
  const rendered = await renderer.render({
    channel: 'EMAIL',
    content: { condition: compiled.text },
    data: templateData(send, user),
    replace: {}
  })
  if (!rendered.ok) return ['render-failed', `its condition failed: ${rendered.detail}`]
  const said = (rendered.fields['condition'] ?? '').trim()
  return said === '' || said === 'false' ? ['condition-false', condition] : undefined
}
