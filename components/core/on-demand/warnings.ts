// Logs mistakes of the page, each once: wrong values with what is expected, and functions that throw.

import type { ReactiveElement } from '@lit/reactive-element'

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

/** Global attributes of HTML that are no property of that name, and names of frameworks and browser extensions. */
const NOT_OURS =
  /^(?:class|contenteditable|enterkeyhint|exportparts|is|item\w+|tabindex|accesskey|inputmode|xmlns)$|^(?:aria|astro|data|hx|ng|on|v|wire|x)-|[^a-z\d-]/

const normalize = (name: string): string => name.replace(/^data-/, '').replaceAll('-', '')

/** HTML lowercases `clientId`, and the attribute is `client-id`. */
const findMeant = (name: string, known: readonly string[]): string | undefined =>
  known.find(one => one !== name && normalize(one) === normalize(name))

const warnIgnored = ({ localName }: Element, name: string, right: string): void =>
  warn(`<${localName}> ${name} is ignored: the attribute is ${right}.`)

/** Logs attributes of a script tag without dashes. */
export function warnScriptAttributes(script: Element): void {
  for (const name of script.getAttributeNames()) {
    const right = findMeant(name, SCRIPT_ATTRIBUTES)
    if (right) warnIgnored(script, name, right)
  }
}

/**
 * Logs attributes of an element that do nothing, and booleans that are written as `false`, which turns them on.
 *
 * @param names - attributes that are unknown to the element, or had the text `false` when it was connected
 */
export async function warnAttributes(host: ReactiveElement, names: readonly string[]): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, HYDRATION_MS))
  const { localName } = host
  const { elementProperties, observedAttributes } = host.constructor as typeof ReactiveElement
  const keys = new Map([...elementProperties].map(([key, { attribute }]) => [attribute, key]))
  const unset = document.createElement(localName)
  for (const name of names) {
    const key = keys.get(name)
    const right = findMeant(name, observedAttributes)
    const meant = keys.get(right)
    if (key !== undefined) {
      if (Reflect.get(host, key) === true)
        warn(`<${localName}> ${name}="false" is on, as in HTML: leave the attribute out to turn it off.`)
    } else if (observedAttributes.includes(name) || name in host || NOT_OURS.test(name)) continue
    else if (right === undefined || meant === undefined)
      warn(`<${localName}> ${name} is ignored: there is no such attribute.`)
    // A framework that rendered `userId` on the server has set the property by now.
    else if (Reflect.get(host, meant) === Reflect.get(unset, meant)) warnIgnored(host, name, right)
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
