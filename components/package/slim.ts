// What people need and browsers do not is taken out of the build: indentation of templates, and wrappers of the tools.

import { join } from 'node:path'

import { transformSync } from 'esbuild'
import type { Plugin } from 'vite'

/** css`…` and html`…`, with whatever stands in their `${…}`, templates included. */
const LITERAL = /\b(css|html)`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*)`/g

/** What the minifier leaves in custom properties, since they might hold anything; ours hold values. */
const SPACE = /(?<=[(,/]|--[\w-]+:) +| +(?=[),;}/])/g

/** @throws Error when it is no style */
function style(text: string): string {
  const { code, warnings } = transformSync(text, { loader: 'css', logLevel: 'silent', minify: true })
  for (const { location, text } of warnings) throw new Error(`${text} ${location?.lineText}`)
  return code.trim().replaceAll(SPACE, '')
}

// Between two tags or values a line break is nothing, beside a word it is a space, and within a tag it separates attributes.
const markup = (text: string): string =>
  text
    .replaceAll(/(.?)\s*\n\s*(?=(.))/g, (_, before: string, after: string) =>
      /[>}`]/.test(before) && /[<$`]/.test(after) ? before : `${before} `
    )
    .replaceAll(/(["}\w]) +>/g, '$1>')
    .replaceAll('" />', '"/>')

/** A source without the indentation of its templates. */
export const squeeze = (code: string): string =>
  code.replaceAll(LITERAL, (whole, tag: string, text: string) =>
    tag === 'css' ? `css\`${style(text)}\`` : markup(whole)
  )

const templates: Plugin = {
  enforce: 'pre',
  name: 'squeeze-templates',
  transform: (code, id) => (/\/components\/.*\.ts$/.test(id) ? { code: squeeze(code), map: null } : null)
}

/** Vite wraps every import() to preload what it needs. We preload nothing, so the wrapper is only weight. */
const plainImports: Plugin = {
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) if (name.includes('/preload-')) delete bundle[name]
  },
  name: 'plain-imports',
  renderChunk: code =>
    code
      .replaceAll(
        /__vitePreload\(async \(\) => \{\s*const [^=]* = await ([^;]*);\s*return [^;]*;\s*\}, __VITE_PRELOAD__\)/g,
        '$1'
      )
      .replaceAll(/__vitePreload\(\(\) => (.*?), __VITE_PRELOAD__\)/g, '$1')
      .replaceAll(/import \{[^}]*__vitePreload \} from .*/g, '')
}

/** Our decorators are all of fields and give nothing back: they are called as they are, without a helper. */
const lightDecorators: Plugin = {
  name: 'light-decorators',
  renderChunk: code =>
    code
      .replaceAll(/__decorate\(\[(.*)\], (\w+\.prototype, "\w+"), void 0\)/g, '$1($2)')
      .replace(/\/\/#region [^\n]*decorate\.js\nfunction __decorate\([^]*?\n\}/, '')
      .replaceAll(/\w+ as __decorate,? ?|, __decorate as \w+/g, '')
}

/** The longest of them has 423 characters: what is longer begins where it should and ends somewhere else. */
const LONGEST = 450

/**
 * Takes parts out of a library.
 *
 * @throws Error when one is not there any more, or longer than any was: then look again
 */
export const without = (parts: readonly RegExp[], code: string, id: string): string =>
  parts.reduce((rest, part) => {
    const less = rest.replaceAll(part, found => {
      if (found.length <= LONGEST) return ''
      throw new Error(`${String(part)} takes ${found.length} characters of ${id}.`)
    })
    if (less === rest) throw new Error(`${id} has no ${String(part)} any more.`)
    return less
  }, code)

/** Hooks for what stands in for shadow roots, and a list of versions that nobody reads in production. */
const OLD = [
  /,\w=\w\.\w+PolyfillSupport(?=[,;])/g,
  /,?\w\?\.\([^)]*\),\(\w\.\w+Versions\?\?=\[\]\)\.push\("[\d.]+"\)/g
]

/** Lit carries what browsers need that cannot show the kit at all. */
const newBrowsers: Plugin = {
  enforce: 'pre',
  name: 'new-browsers',
  resolveId: (source, importer) =>
    source === './css-tag.js' && importer?.includes('/@lit/reactive-element/')
      ? join(import.meta.dirname, '../core/css-tag.ts')
      : null,
  transform: (code, id) =>
    /\/(?:reactive-element|lit-html)\.js$/.test(id) ? { code: without(OLD, code, id), map: null } : null
}

/** What Lit can do for others: nobody makes elements of the script's classes, and its directives stand where they may. */
const OTHERS: Readonly<Record<string, readonly RegExp[]>> = {
  // Only at properties.
  live: [
    /constructor\(\w\)\{.*?single expression"\)\}/g,
    /if\(\w\.type===\w\.PROPERTY\)(?=\{)/g,
    /else if\(\w\.type===\w\.BOOLEAN_ATTRIBUTE\).*?return \w;(?=return)/g
  ],
  // Handles for tools, and for whoever keeps what `render` gives.
  'lit-html': [/(?<=\{)M:\w,P:\w,[^}]*(?=I:\w)|,H,N:\w,[^}]*(?=\})/g, /setConnected\(\w\)\{[^}]*\}/g],
  // Attributes are texts, numbers or there; properties are made by decorators, of fields, keep no defaults, and have changed
  // where they are another value.
  'reactive-element': [
    /case Object:case Array:(?:t=null==t\?t:JSON\.stringify\(t\)|try\{i=JSON\.parse\(t\)\}catch\(t\)\{i=null\})/g,
    /,this\.hasOwnProperty\(\w\("properties"\)\)|const t=this\.properties,.*?(?=\}const)|const t=this\[Symbol.*?(?=this\._\$Eh=new Map)/g,
    /Symbol\.metadata\?\?=.*?new WeakMap;/g,
    /static addInitializer\(\w\)\{[^}]*\}|void 0!==\w\.l&&\(this\.l=\[\.\.\.\w\.l\]\),|,this\.constructor\.l\?\.forEach\(\w=>\w\(this\)\)/g,
    /removeController\(\w\)\{[^}]*\}/g,
    /void 0!==\w\.converter\?\.toAttribute\?\w\.converter:|"function"==typeof \w\.converter.*?\?\w\.converter:/g,
    /\w\.state&&\(\w\.attribute=!1\),|,this\.prototype\.hasOwnProperty\(\w\)&&\(\(.*?\)\.wrapped=!0\)/g,
    /const t=this\.constructor\.elementProperties;if\(t\.size>0\).*?\}(?=\}let)/g,
    /,useDefault:!1|\|\|\w\.useDefault&&.*?\(\w,\w\)\)(?=\)\))|\w&&!\(this\._\$Ej.*?void 0!==\w\)\|\||\?\?this\._\$Ej\?\.get\(\w\)\?\?\w/g,
    /(?<=C\(\w,\w,\{)useDefault:\w,|(?<=hasUpdated)\|\|\w(?=\|\|)|,wrapped:\w(?=\})/g,
    /converter:\w,(?=reflect)|,hasChanged:\w(?=\})|\w\.hasChanged\?\?/g,
    /\w\(this\.prototype,\w\)\?\?/g
  ],
  repeat: [/constructor\(\w\)\{.*?text expressions"\)\}/g]
}

const ownUse: Plugin = {
  name: 'own-use',
  transform(code, id) {
    const [, name = ''] = /\/(?:lit-html|lit-html\/directives|reactive-element)\/([\w-]+)\.js$/.exec(id) ?? []
    const parts = OTHERS[name]
    return parts ? { code: without(parts, code, id), map: null } : null
  }
}

/** What partysocket also offers, and we never ask for. */
const UNASKED = [
  // Other names of what we know, and a second way to do things.
  ...['binaryType', 'bufferedAmount', 'extensions', 'protocol', 'retryCount', 'shouldReconnect', 'url'].map(
    name => new RegExp(`^ {2}[gs]et ${name}\\([^]*?^ {2}\\}`, 'gm')
  ),
  /^ {2}(?:drainQueuedMessages|reconnect)\([^]*?^ {2}\}/gm,
  // Handlers that are properties: ours are listeners.
  /^.*\bon(?:close|error|message|open)\b.*$/gm,
  // A log of every step.
  /^ {2}_debug\([^]*?^ {2}\}|^ {2}_debugLogger = .*$|^ {4}if \(this\._options\.debugLogger\)[^;]*;/gm,
  /\bthis\._debug\([^;]*\);/g,
  // Sending while it is closed: socket.ts asks first.
  /^ {4}if \(this\._closeCalled && [^]*?^ {4}\}/gm
]

/** What it keeps to itself begins with an underscore and is named at length. Nobody else uses those names. */
const shortSocket: Plugin = {
  name: 'short-socket',
  transform: (code, id) =>
    id.includes('/node_modules/partysocket/')
      ? { code: transformSync(without(UNASKED, code, id), { mangleProps: /^_/ }).code, map: null }
      : null
}

export const slim: readonly Plugin[] = [
  templates,
  newBrowsers,
  ownUse,
  shortSocket,
  lightDecorators,
  plainImports
]
