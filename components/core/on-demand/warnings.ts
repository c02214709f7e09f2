// Says once what a page did wrong: a value that is none, and what would have been right, or a function that throws.

import { isComplete, type KitConfig } from '../config.ts'

const told = new Set<string>()

/** Parameters of a counter, which bells have in one object. */
const BADGE = new Set(['bubbleColor', 'fontColor', 'max', 'offset'])

/** Characters of a wrong value: enough to know it again. */
const LONGEST = 120

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** Symbols and objects without a prototype have no text: then the name of the kind. */
function textOf(value: unknown): string {
  try {
    return cut(String(value))
  } catch {
    return cut(Object.prototype.toString.call(value))
  }
}

export function warnWrongValue(
  host: Element,
  parameter: string,
  value: unknown,
  expected: string | readonly string[] = `a ${parameter}`
): void {
  const { localName } = host
  const name = BADGE.has(parameter) && !(parameter in host) ? `unreadBadgeProps.${parameter}` : parameter
  const right = typeof expected === 'string' ? expected : expected.join(', ')
  warn(`<${localName}> ${name}: expected ${right}, got ${textOf(value)}; the default is used.`)
}

/** What cannot be read costs itself. */
export function warnUnreadable(
  { localName }: Element,
  parameter: string,
  errors: ReadonlyMap<string, unknown>
): void {
  const [first] = errors.values()
  const keys = cut([...errors.keys()].join(', '))
  warn(
    `<${localName}> ${parameter}: ${errors.size} left out, which cannot be read: ${keys} (${textOf(first)})`
  )
}

/** What a script tag says of the user. */
const TAG = ['data-client-id', 'data-user-id', 'data-user-hash', 'data-api-url', 'data-ws-url']

/** Milliseconds in which a framework hydrates what its server has rendered, and sets the properties of elements. */
export const HYDRATION = 1000

/** Attributes are in lower case, however HTML writes them, and ours have dashes: `clientId="…"` is none. */
export async function warnMisnamedAttributes(element: Element): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, HYDRATION))
  const { attributes, constructor, localName } = element
  if (isComplete(element as KitConfig)) return
  const { observedAttributes = TAG } = constructor as { observedAttributes?: readonly string[] }
  const plain = (name: string): string => name.replace(/^data-/, '').replaceAll('-', '')
  for (const { name } of attributes) {
    const right = observedAttributes.find(one => one !== name && plain(one) === plain(name))
    if (right) warn(`<${localName}> ${name} is ignored: the attribute is ${right}.`)
  }
}

export const warnSecondCopy = (): void =>
  warn('notif-kit is on this page twice: the copy that came first is used.')

const thrown = new WeakSet<object>()

/** The function is asked for each notification at each render, and its page wants to read of it once. */
export function reportThrown(given: object, error: unknown): void {
  if (!thrown.has(given)) reportError(error)
  thrown.add(given)
}

/** Logs the server's reason for developers. Users see a text of the elements instead. */
export const serverRefused = ({ detail, title }: { readonly detail: string; readonly title: string }): void =>
  warn(`notif-kit: the server refused the connection: ${detail || title}`)

/** Logs the server's reason for developers. Browsers log requests without an answer themselves. */
export function preferencesRefused(error: unknown): void {
  const { message, status } = Object(error) as { message?: string; status?: number }
  if (status) warn(`notif-kit: the server refused the preferences: ${textOf(message)}`)
}

function warn(text: string): void {
  if (told.has(text)) return
  told.add(text)
  console.warn(text)
}
