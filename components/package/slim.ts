// Removes from the build what browsers do not need: indentation of the kit's own templates, and wrappers of the build tools.
// Libraries stay as they are published.

import { transformSync } from 'esbuild'
import type { Plugin } from 'vite'

/** css`…` and html`…`, with whatever stands in their `${…}`, templates included. */
const LITERAL = /\b(css|html)`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*)`/g

/** Spaces in custom properties, which the minifier keeps because their value may be anything. */
const SPACE = /(?<=[(,/]|--[\w-]+:) +| +(?=[),;}/])/g

/** @throws Error if the text is not valid CSS */
function style(text: string): string {
  const { code, warnings } = transformSync(text, { loader: 'css', logLevel: 'silent', minify: true })
  for (const { location, text } of warnings) throw new Error(`${text} ${location?.lineText}`)
  return code.trim().replaceAll(SPACE, '')
}

// A line break between two tags or values is removed; beside a word, in a tag and before a directive of the tag it becomes a space.
const markup = (text: string): string =>
  text
    .replaceAll(/(.?)\s*\n\s*(?=(\$\{(?:ref|sizes)\(|.))/g, (_, before: string, after: string) =>
      /[>}`]/.test(before) && /^[<$`]$/.test(after) ? before : `${before} `
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

/** Removes the preload wrapper that Vite adds to every import(): nothing is preloaded here. */
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
      .replaceAll(/__vitePreload\(\(\) => ([^]*?), __VITE_PRELOAD__\)/g, '$1')
      .replaceAll(/import \{[^}]*__vitePreload \} from .*/g, '')
}

/** Calls decorators without the helper: all of them are for fields and return nothing. */
const lightDecorators: Plugin = {
  name: 'light-decorators',
  renderChunk: code =>
    code
      .replaceAll(/__decorate\(\[(.*)\], (\w+\.prototype, "\w+"), void 0\)/g, '$1($2)')
      .replace(/\/\/#region [^\n]*decorate\.js\nfunction __decorate\([^]*?\n\}/, '')
      .replaceAll(/[\w$]+ as __decorate,? ?|, __decorate as [\w$]+/g, '')
}

export const slim: readonly Plugin[] = [templates, lightDecorators, plainImports]
