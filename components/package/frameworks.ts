// Types for templates of Vue, Svelte, React 19 and Solid: written from the elements, so that none can be forgotten.

import type { Element } from './elements.ts'
import type { FRAMEWORKS } from './manifest.ts'

const quote = (name: string): string => (/^[a-z]\w*$/i.test(name) ? name : `'${name}'`)

const comment = (text: string | undefined): string =>
  text ? `  /** ${text.replaceAll(/\s+/g, ' ')} */\n` : ''

/** A switch may stand alone, and `false` as a text would turn it on; a number is a text in an attribute. */
const attributeType = (own: string, type: string | undefined): string =>
  type === 'boolean' ? `${own} | '' | 'true'` : type?.includes('number') ? `${own} | string` : own

function props(element: Element): string {
  const fields = (element.members ?? []).filter(({ kind }) => kind === 'field')
  const lines = fields.map(({ attribute, description, name, type }) => {
    const own = `${element.name}['${name}']`
    const property = `${comment(description)}  ${quote(name)}?: ${attribute === name ? attributeType(own, type?.text) : own}\n`
    if (attribute === undefined || attribute === name) return property
    return `${property}${comment(description)}  ${quote(attribute)}?: ${attributeType(own, type?.text)}\n`
  })
  return `export interface ${element.name}Props {\n${lines.join('')}}\n`
}

/** The types that all four use. */
export function elementTypes(elements: readonly Element[]): string {
  const table = (name: string, value: (element: Element) => string): string =>
    `export interface ${name} {\n${elements.map(one => `  '${one.tagName}': ${value(one)}\n`).join('')}}\n`
  return [
    "import type { NotifEventMap } from '../index.js'\n",
    ...elements.map(({ name, path }) => `import type { ${name} } from '../${path}'\n`),
    '\n',
    ...elements.map(props),
    table('Elements', ({ name }) => name),
    table('ElementProps', ({ name }) => `${name}Props`),
    '/** What a template sets. It takes whatever begins with `on` for a listener, and would call no callback. */\n',
    'export type TemplateProps<T extends keyof Elements> = Omit<ElementProps[T], `on${Capitalize<string>}`>\n',
    '/** Events of our own, and those of the platform under their names. */\n',
    'type Fires<K extends string> = { [E in K]: E extends keyof NotifEventMap ? NotifEventMap[E] : Event }\n',
    table('ElementEvents', ({ events = [] }) =>
      events.length === 0 ? '{}' : `Fires<${events.map(({ name }) => `'${name}'`).join(' | ')}>`
    )
  ].join('')
}

const head = "import type { ElementEvents, ElementProps, Elements, TemplateProps } from './elements.js'\n"
const handlers = (prefix: string): string =>
  `type Handlers<T extends keyof Elements> = {
  [E in keyof ElementEvents[T] & string as \`${prefix}\${E}\`]?: (event: ElementEvents[T][E]) => void
}
`

const TYPES: Readonly<Record<(typeof FRAMEWORKS)[number], string>> = {
  react: `import type { DetailedHTMLProps, HTMLAttributes } from 'react'
${head}
${handlers('on')}type Html<T extends keyof Elements> = DetailedHTMLProps<HTMLAttributes<Elements[T]>, Elements[T]>
type Tags = {
  [T in keyof Elements]: Omit<Html<T>, keyof ElementProps[T]> & TemplateProps<T> & Handlers<T>
}
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
`,
  solid: `import type { JSX as Solid } from 'solid-js'
${head}
${handlers('on:')}type Html<T extends keyof Elements> = Solid.HTMLAttributes<Elements[T]>
type Forced<T> = { [K in keyof T & string as \`prop:\${K}\` | \`attr:\${K}\`]?: T[K] }
type Tags = {
  [T in keyof Elements]: Omit<Html<T>, keyof ElementProps[T]> & TemplateProps<T> & Forced<ElementProps[T]> & Handlers<T>
}
declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
`,
  svelte: `import type { HTMLAttributes } from 'svelte/elements'
${head}
${handlers('on')}type Html<T extends keyof Elements> = HTMLAttributes<Elements[T]>
type Tags = {
  [T in keyof Elements]: Omit<Html<T>, keyof ElementProps[T]> & TemplateProps<T> & Handlers<T>
}
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends Tags {}
}
`,
  vue: `import type { HTMLAttributes, PublicProps } from 'vue'
${head}
type Pascal<T extends string> = T extends \`\${infer A}-\${infer B}\` ? \`\${Capitalize<A>}\${Pascal<B>}\` : Capitalize<T>
type Camel<T extends string> = T extends \`\${infer A}-\${infer B}\` ? \`\${A}\${Pascal<B>}\` : T
type Handlers<T extends keyof Elements> = {
  [E in keyof ElementEvents[T] & string as \`on\${Pascal<E>}\`]?: (event: ElementEvents[T][E]) => void
}
/** Its compiler looks up \`page-size\` as \`pageSize\`, so that takes what the attribute takes, too. */
type Props<P> = { [K in keyof P & string as Camel<K> | K]?: P[K] }
type Tags = {
  [T in keyof Elements]: new () => {
    $props: PublicProps & Omit<HTMLAttributes, keyof ElementProps[T]> & Props<TemplateProps<T>> & Handlers<T>
  }
}
declare module 'vue' {
  interface GlobalComponents extends Tags {}
  /** What stands in a slot of ours is any element. */
  interface HTMLAttributes {
    slot?: string
  }
}
`
}

export const frameworkTypes = (name: (typeof FRAMEWORKS)[number]): string => TYPES[name]
