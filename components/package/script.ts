// Files for pages that pin a version: a copy of notif.js with the version in its name, which never changes, and notif.json with the
// digest of every file for `integrity`.

import { createHash } from 'node:crypto'

import type { Plugin } from 'vite'

import { VERSION } from '../../server/process/version.ts'

const integrity = (code: string): string => `sha384-${createHash('sha384').update(code).digest('base64')}`

/** Names of files in static and dynamic imports. */
const IMPORTED = /["`]\.\/(?:assets\/)?([\w@.-]+\.js)["`]/g

/** The answer of `GET /notif.json`. Addresses are relative to it. */
export interface Release {
  readonly version: string
  readonly script: string
  readonly integrity: string
  /** Every module that the script may load, for the `integrity` of an import map. */
  readonly modules: Readonly<Record<string, string>>
}

export const release: Plugin = {
  enforce: 'post',
  generateBundle(_, bundle) {
    const entry = bundle['notif.js']
    if (entry?.type !== 'chunk') throw new Error('The script must be one file.')
    const script = `notif@${VERSION}.js`
    this.emitFile({ fileName: script, source: entry.code, type: 'asset' })
    const modules: Record<string, string> = {}
    const follow = (name: string): void => {
      const chunk = bundle[name]
      if (chunk?.type !== 'chunk' || modules[name]) return
      if (chunk !== entry) modules[name] = integrity(chunk.code)
      for (const [, next] of chunk.code.matchAll(IMPORTED)) follow(`assets/${next}`)
    }
    follow('notif.js')
    const content: Release = { version: VERSION, script, integrity: integrity(entry.code), modules }
    this.emitFile({ fileName: 'notif.json', source: `${JSON.stringify(content, null, 2)}\n`, type: 'asset' })
  },
  name: 'release'
}
