// The package.json of the published package, with only the libraries that the kit and the client import.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

interface Own {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Folders of elements: those that define a tag and have a class of their name. */
const elementFolders = (): readonly string[] =>
  globSync('components/*/define.ts', { cwd: ROOT })
    .map(path => basename(dirname(path)))
    .filter(name => existsSync(join(ROOT, `components/${name}/${name}.ts`)))
    .toSorted()

/** Frameworks whose templates get types; each is a module without code. Angular's is one with code. */
export const FRAMEWORKS = ['react', 'solid', 'svelte', 'vue'] as const

/** Whose types those are: an app has the one that it is written in. */
const PEERS = ['@angular/core', 'react', 'solid-js', 'svelte', 'vue']

const entry = (path: string): object => ({ types: `./${path}.d.ts`, default: `./${path}.js` })

const entries = (): Readonly<Record<string, unknown>> => {
  const folders = elementFolders()
  const each = (prefix: string, file: (name: string) => string): [string, object][] =>
    folders.map(name => [`./${prefix}${name}`, entry(file(name))])
  return {
    '.': entry('index'),
    ...Object.fromEntries(each('', name => `${name}/${name}`)),
    './configure': entry('configure'),
    './define': entry('all'),
    ...Object.fromEntries(each('define/', name => `${name}/define`)),
    './client': entry('client/index'),
    './custom-elements.json': './custom-elements.json',
    './package.json': './package.json',
    './service-worker': entry('service-worker'),
    './store': entry('headless/index'),
    './testing': entry('testing'),
    './testing/server': entry('testing/index'),
    ...Object.fromEntries(['angular', ...FRAMEWORKS].map(name => [`./${name}`, entry(`types/${name}`)]))
  }
}

/** Names of the packages that a built folder imports, also if it imports only types. */
function importedBy(dist: string): readonly string[] {
  // Types of a framework are used only in apps that have the framework.
  const files = globSync('**/*.{js,d.ts}', { cwd: dist, exclude: ['types/**'] })
  const texts = files.map(path => readFileSync(join(dist, path), 'utf8'))
  const names = texts.flatMap(text =>
    [...text.matchAll(/^(?:import|export|\})(?: [^'"]* from)? '([^']+)';?$|\bimport\('([^']+)'\)/gm)]
      .map(([, fixed, late]) => (fixed ?? late)!)
      .filter(name => !/^(?:\.|node:)/.test(name))
      .map(name => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  )
  return [...new Set(names)].toSorted()
}

/** @param dist - the built folder */
export function manifestOf(dist: string): object {
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Own
  const { dependencies, description, license, name, version } = own
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    // Bundlers warn of an import for its types, if they are told that it does nothing.
    sideEffects: ['./*/define.js', './all.js', './service-worker.js', './types/*.js'],
    exports: entries(),
    customElements: './custom-elements.json',
    'web-types': './web-types.json',
    // A range, so that a page that has the library already gets no second copy.
    dependencies: Object.fromEntries(importedBy(dist).map(used => [used, `^${dependencies[used]}`])),
    peerDependencies: Object.fromEntries(PEERS.map(peer => [peer, '*'])),
    peerDependenciesMeta: Object.fromEntries(PEERS.map(peer => [peer, { optional: true }]))
  }
}
