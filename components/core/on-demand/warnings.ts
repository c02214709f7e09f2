// Logs mistakes of the page, each once: wrong values with what is expected, and functions that throw.

import { isComplete, type KitConfig } from '../config.ts'

const logged = new Set<string>()

/** Parameters of a counter that a bell has in one object. */
const BADGE_PARAMETERS = new Set(['bubbleColor', 'fontColor', 'max', 'offset'])

/** Enough to recognize a wrong value. */
const MAX_LENGTH = 120

const truncate = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

/** Returns the type of a symbol or an object without a prototype, which cannot be converted to a text. */
function toText(value: unknown): string {
  try {
    return truncate(String(value))
  } catch {
    return truncate(Object.prototype.toString.call(value))
  }
}

export function warnWrongValue(
  host: Element,
  parameter: string,
  value: unknown,
  expected: string | readonly string[] = `a ${parameter}`
): void {
  const { localName } = host
  const name =
    BADGE_PARAMETERS.has(parameter) && !(parameter in host) ? `unreadBadgeProps.${parameter}` : parameter
  const right = typeof expected === 'string' ? expected : expected.join(', ')
  warn(`<${localName}> ${name}: expected ${right}, got ${toText(value)}; the default is used.`)
}

/** Logs items of a list that are left out, because a field of theirs throws. */
export function warnUnreadable(
  { localName }: Element,
  parameter: string,
  errors: ReadonlyMap<string, unknown>
): void {
  const [first] = errors.values()
  const keys = truncate([...errors.keys()].join(', '))
  warn(
    `<${localName}> ${parameter}: ${errors.size} left out, which cannot be read: ${keys} (${toText(first)})`
  )
}

/** Attributes of a script tag. */
const SCRIPT_ATTRIBUTES = ['data-client-id', 'data-user-id', 'data-user-hash', 'data-api-url', 'data-ws-url']

/** Frameworks set the properties of server-rendered elements within this time. */
export const HYDRATION_MS = 1000

/** Logs attributes without dashes: HTML lowercases `clientId`, and the attribute is `client-id`. */
export async function warnMisnamedAttributes(element: Element): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, HYDRATION_MS))
  const { attributes, constructor, localName } = element
  if (isComplete(element as KitConfig)) return
  const { observedAttributes = SCRIPT_ATTRIBUTES } = constructor as { observedAttributes?: readonly string[] }
  const normalize = (name: string): string => name.replace(/^data-/, '').replaceAll('-', '')
  for (const { name } of attributes) {
    const right = observedAttributes.find(one => one !== name && normalize(one) === normalize(name))
    if (right) warn(`<${localName}> ${name} is ignored: the attribute is ${right}.`)
  }
}

export const warnSecondCopy = (): void =>
  warn('notif-kit is on this page twice: the copy that came first is used.')

const reported = new WeakSet<object>()

/** Reports the first error of a function, which may be called for each notification at each render. */
export function reportThrown(call: object, error: unknown): void {
  if (!reported.has(call)) reportError(error)
  reported.add(call)
}

/** Logs the server's reason for developers. Browsers log requests without an answer themselves. */
export function preferencesRefused(error: unknown): void {
  const { message, status } = Object(error) as { message?: string; status?: number }
  if (status) warn(`notif-kit: the server refused the preferences: ${toText(message)}`)
}

function warn(text: string): void {
  if (logged.has(text)) return
  logged.add(text)
  console.warn(text)
}
