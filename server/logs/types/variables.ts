// Lists the variables that the parameters of sends have, with a sample of each. Pure.

export interface Variable {
  /** As in a template, such as `order.number`; `order.lines[]` is each entry of a list. */
  readonly name: string
  /** JSON; cut to {@link MAX_SAMPLE_CHARACTERS}. */
  readonly sample: string
  /** Sends that have it. */
  readonly count: number
}

export const MAX_VARIABLES = 200
export const MAX_SAMPLE_CHARACTERS = 200
const MAX_DEPTH = 6
/** Entries of a list whose fields are read. */
const MAX_LIST_ENTRIES = 5
/** Of one send: a map with ids as keys is no list of variables. */
const MAX_NAMES_OF_SEND = 1000

/** @param sends - parameters, the newest first: samples are of the newest send that has the variable */
export function listVariables(sends: readonly Readonly<Record<string, unknown>>[]): Variable[] {
  const found = new Map<string, { sample: string; count: number }>()
  for (const parameters of sends) {
    const own = new Map<string, unknown>()
    for (const [name, value] of Object.entries(parameters)) addNames(own, name, value, 1)
    for (const [name, value] of own) {
      const known = found.get(name)
      if (known) known.count += 1
      else found.set(name, { count: 1, sample: toSample(value) })
    }
  }
  return [...found]
    .map(([name, { count, sample }]) => ({ count, name, sample }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_VARIABLES)
}

function addNames(names: Map<string, unknown>, name: string, value: unknown, depth: number): void {
  if (names.size >= MAX_NAMES_OF_SEND) return
  if (!names.has(name)) names.set(name, value)
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const entry of value.slice(0, MAX_LIST_ENTRIES)) addNames(names, `${name}[]`, entry, depth + 1)
  } else {
    for (const [key, inner] of Object.entries(value)) {
      const part = /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
      addNames(names, name + part, inner, depth + 1)
    }
  }
}

function toSample(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > MAX_SAMPLE_CHARACTERS
    ? `${text.slice(0, MAX_SAMPLE_CHARACTERS - 1).toWellFormed()}…`
    : text
}
