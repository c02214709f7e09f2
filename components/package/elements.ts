// Reads custom-elements.json from the classes and their doc tags.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { create, ts, type Plugin } from '@custom-elements-manifest/analyzer'

import { toKebabCase } from '../core/kebab-case.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Described {
  readonly name: string
  readonly description?: string
}

interface Field extends Described {
  readonly kind: string
  readonly attribute?: string
  readonly default?: string
  readonly reflects?: boolean
  readonly type?: { readonly text: string }
}

/** The part of the schema's declaration that this package uses. */
export interface Declaration {
  readonly tagName?: string
  readonly name: string
  readonly superclass?: { readonly name: string; readonly package?: string; readonly module?: string }
  readonly summary?: string
  readonly description?: string
  readonly members?: readonly Field[]
  readonly attributes?: readonly (Described & { readonly type?: { text: string } })[]
  readonly events?: readonly Described[]
  readonly slots?: readonly Described[]
  readonly cssParts?: readonly Described[]
  readonly cssProperties?: readonly (Described & { readonly default?: string })[]
  readonly cssStates?: readonly Described[]
}

export interface Element extends Declaration {
  readonly tagName: string
  /** Module of the package that has the class. */
  readonly path: string
}

export interface Manifest {
  readonly modules: readonly {
    readonly path: string
    readonly declarations?: readonly Declaration[]
    readonly exports?: readonly object[]
  }[]
}

interface Draft {
  name: string
  static?: boolean
  attribute?: string
  reflects?: boolean
  description?: string
  type?: { text: string }
}

interface DraftClass {
  name: string
  members?: Draft[]
  attributes?: object[]
}

/** Private by the language, or called by other parts of the kit and the browser. */
const INNER = /^#|^onLinkFollowed$|Callback$/

/** Reads parameters from decorators: `param` and `either` also have an attribute, `object` has none. */
const parameters: Plugin = {
  analyzePhase({ moduleDoc, node }) {
    if (!ts.isClassDeclaration(node) || !node.name) return
    const className = node.name.text
    const declared = (moduleDoc.declarations as DraftClass[] | undefined)?.find(
      ({ name }) => name === className
    )
    if (!declared) return
    const open = new Set<string>()
    for (const member of node.members) {
      const name = member.name?.getText() ?? ''
      // A method for pages has no modifier, or is async.
      if (
        ts.isMethodDeclaration(member) &&
        (member.modifiers ?? []).every(one => one.getText() === 'async')
      ) {
        open.add(name)
      }
      const call = ts.isPropertyDeclaration(member)
        ? ts
            .getDecorators(member)
            ?.map(({ expression }) => expression)
            .find(one => ts.isCallExpression(one))
        : undefined
      const field = declared.members?.find(one => one.name === name && !one.static)
      if (!call || !field) continue
      open.add(name)
      const decorator = call.expression.getText()
      if (decorator === 'object') continue
      field.attribute = toKebabCase(name)
      if (call.arguments[1]?.getText() === 'true') field.reflects = true
      const { description, type } = field
      declared.attributes = [
        ...(declared.attributes ?? []),
        {
          fieldName: name,
          name: toKebabCase(name),
          ...(description && { description }),
          ...(type && { type })
        }
      ]
    }
    // Members that are neither parameters nor methods for pages are internal.
    declared.members =
      declared.members?.filter(one => open.has(one.name) && !one.static && !INNER.test(one.name)) ?? []
  },
  name: 'parameters'
}

/** Base classes of the elements. */
const BASES = ['components/inbox/base/inbox-element.ts', 'components/view/template-element.ts']

/** Reads the sources of the kit. */
export function describe(): Manifest {
  const elements = globSync('components/*/*.ts', { cwd: ROOT, exclude: ['components/package/**'] })
  const modules = [...BASES, ...elements.filter(isElement)]
    .toSorted()
    .map(path =>
      ts.createSourceFile(
        path.replace(/^components\//, '').replace(/\.ts$/, '.js'),
        readFileSync(join(ROOT, path), 'utf8'),
        ts.ScriptTarget.ES2022,
        true,
        ts.ScriptKind.TS
      )
    )
  return create({ context: { dev: false }, modules, plugins: [parameters] }) as Manifest
}

const isElement = (path: string): boolean => readFileSync(join(ROOT, path), 'utf8').includes('@tagname ')

/** The elements of a manifest, in the order of their tags. */
export const elementsOf = ({ modules }: Manifest): readonly Element[] =>
  modules
    .flatMap(({ declarations = [], path }) => declarations.map(one => ({ ...one, path })))
    .filter((one): one is Element => one.tagName !== undefined)
    .toSorted((one, other) => one.tagName.localeCompare(other.tagName))
