// Finds the variables that a template needs and the given data does not have. A variable in `if`, `unless` or `case`, or with
// `default:`, is optional, because the template says what happens without it.

import { analyzeSync, type Template } from 'liquidjs'

/** Numbers are positions in a list. */
export type VariablePath = readonly (string | number)[]

const CONDITIONAL_TAGS = new Set(['case', 'if', 'unless'])

/** @returns paths of the variables that every rendering may read, each once; none if the template is nested too deeply */
export function listRequiredVariables(templates: readonly Template[]): VariablePath[] {
  try {
    const { globals } = analyzeSync(templates.map(template => withoutOptionalReads(template, false)))
    const paths = Object.values(globals).flatMap(found => found.map(({ segments }) => staticPath(segments)))
    return [...new Map(paths.map(path => [JSON.stringify(path), path])).values()]
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** Keeps what an optional part assigns, because the rest of the template may read it. */
function withoutOptionalReads(template: Template, isWithinCondition: boolean): Template {
  const isOptional = isWithinCondition || isConditional(template)
  return Object.create(template, {
    arguments: { value: isOptional || hasDefault(template) ? undefined : template.arguments },
    children: {
      value:
        template.children &&
        function* (partials: boolean, sync: boolean): Generator<unknown, Template[]> {
          const children = (yield template.children!(partials, sync)) as Template[]
          return children.map(child => withoutOptionalReads(child, isOptional))
        }
    }
  }) as Template
}

const isConditional = (template: Template): boolean =>
  CONDITIONAL_TAGS.has((template as { readonly name?: string }).name ?? '')

const hasDefault = ({ value }: Template & { readonly value?: { readonly filters?: { name: string }[] } }) =>
  value?.filters?.some(({ name }) => name === 'default') ?? false

/** @returns the path up to the first part that is a variable itself */
function staticPath(segments: readonly unknown[]): VariablePath {
  const end = segments.findIndex(part => typeof part !== 'string' && typeof part !== 'number')
  return (end === -1 ? segments : segments.slice(0, end)) as VariablePath
}

/** Properties that Liquid computes from a value. */
const COMPUTED_PROPERTIES = new Set(['first', 'last', 'size'])

/** @returns the names as in a template (`order.lines[0].price`), distinct and sorted */
export function findMissingVariables(
  paths: readonly VariablePath[],
  data: Readonly<Record<string, unknown>>
): string[] {
  const names = new Set<string>()
  for (const path of paths) {
    const last = path.at(-1)
    const isComputed = path.length > 1 && COMPUTED_PROPERTIES.has(String(last))
    const stored = isComputed ? path.slice(0, -1) : path
    if (valueAt(stored, data) == null) names.add(formatPath(stored))
  }
  return [...names].sort()
}

function valueAt(path: VariablePath, data: unknown): unknown {
  let value = data
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    // A negative index counts from the end, as in Liquid.
    const key = Array.isArray(value) && Number(part) < 0 ? value.length + Number(part) : part
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value
}

const formatPath = (path: VariablePath): string =>
  path
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`
      if (!/^[\w-]+$/.test(part)) return `[${JSON.stringify(part)}]`
      return i === 0 ? part : `.${part}`
    })
    .join('')
