// Completes custom-elements.json with types and tokens that the classes do not declare, in the form of the schema
// (https://github.com/webcomponents/custom-elements-manifest).

import { dirname } from 'node:path'

import type { Declaration, Manifest } from './elements.ts'

/** Custom properties that every element with styles reads; `docs/front-end.md` lists the same. */
export const TOKENS: Readonly<Record<string, string>> = {
  '--notif-accent': 'Colour of unread, chosen and focused things.',
  '--notif-on-accent': 'Text on the accent colour.',
  '--notif-bubble': 'Colour of the badge. Default: the accent.',
  '--notif-bubble-text': 'Colour of the number in the badge.',
  '--notif-text': 'Colour of text.',
  '--notif-muted': 'Colour of secondary text, such as times.',
  '--notif-surface': 'Background of a bordered feed.',
  '--notif-raised': 'Background of popups, dialogs and buttons.',
  '--notif-line': 'Colour of lines.',
  '--notif-hover': 'Background of a row under the pointer.',
  '--notif-unread': 'Background of an unread row.',
  '--notif-focus': 'Colour of the focus ring.',
  '--notif-control': 'Edges of switches and fields.',
  '--notif-shadow': 'Shadow of a panel.',
  '--notif-radius-s': 'Radius of small corners.',
  '--notif-radius-m': 'Radius of medium corners.',
  '--notif-radius-l': 'Radius of large corners.',
  '--notif-space': 'Unit of all distances.',
  '--notif-touch': 'Minimum size of a button.',
  '--notif-text-sm': 'Size of small text.',
  '--notif-text-md': 'Size of medium text.',
  '--notif-text-lg': 'Size of large text.',
  '--notif-leading': 'Line height.',
  '--notif-fast': 'Duration of fast animations.',
  '--notif-slow': 'Duration of slow animations.',
  '--notif-ease': 'Easing of animations.'
}

/** The provider renders nothing. */
const isStyled = ({ tagName }: Declaration): boolean => tagName !== 'notif-provider'

/** Module of the package, from a path as the analyzer writes it. */
const toModule = (path: string): string => path.replace(/^\//, '').replace(/\.ts$/, '.js')

const toEventType = (name: string): object =>
  name.startsWith('notif-')
    ? {
        text: `NotifEventMap['${name}']`,
        references: [{ name: 'NotifEventMap', package: 'notif-kit', module: 'index.js' }]
      }
    : { text: 'Event' }

function complete(declaration: Declaration): Declaration {
  const { cssProperties = [], events, superclass, tagName } = declaration
  const own = new Set(cssProperties.map(({ name }) => name))
  const tokens = Object.entries(TOKENS).flatMap(([name, description]) =>
    own.has(name) ? [] : [{ description, name }]
  )
  return {
    ...declaration,
    ...(superclass?.module && { superclass: { ...superclass, module: toModule(superclass.module) } }),
    ...(events && { events: events.map(event => Object.assign({ type: toEventType(event.name) }, event)) }),
    ...(tagName && isStyled(declaration) && { cssProperties: [...cssProperties, ...tokens] })
  }
}

/** Adds types of events, all tokens, paths that exist in the package, and the modules that define the tags. */
export function toCustomElements(manifest: Manifest): Manifest {
  const modules = manifest.modules.map(module => ({
    ...module,
    declarations: module.declarations?.map(complete) ?? []
  }))
  const definitions = modules.flatMap(({ declarations, path }) =>
    declarations.flatMap(({ name, tagName }) =>
      tagName === undefined
        ? []
        : [
            {
              kind: 'javascript-module',
              path: `${dirname(path)}/define.js`,
              declarations: [],
              exports: [
                { kind: 'custom-element-definition', name: tagName, declaration: { name, module: path } }
              ]
            }
          ]
    )
  )
  return { ...manifest, modules: [...modules, ...definitions] }
}
