// Builds what `npm pack ./components/package/dist` packs: modules and types of the kit, of the client and of the worker.
//
// One module for each source, so that bundlers can leave out what is not used.

import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { buildSync } from 'esbuild'

import { angularCode, angularTypes } from './angular.ts'
import { toCustomElements } from './custom-elements.ts'
import { customData, webTypes } from './editors.ts'
import { describe, elementsOf } from './elements.ts'
import { elementTypes, frameworkTypes } from './frameworks.ts'
import { FRAMEWORKS, manifestOf } from './manifest.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(import.meta.dirname, 'dist')

const compile = (project: string, ...options: string[]): void => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', join(ROOT, project), ...options], { stdio: 'inherit' })
}

/**
 * @param dist - folder to write, which is emptied first
 * @returns the folder
 */
export function buildPackage(dist = DIST): string {
  const write = (name: string, content: string | object): void =>
    writeFileSync(
      join(dist, name),
      typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
    )

  rmSync(dist, { force: true, recursive: true })
  mkdirSync(join(dist, 'types'), { recursive: true })
  compile('components/package/tsconfig.kit.json', '--outDir', dist)
  compile('server/client', '--outDir', join(dist, 'client'))
  compile('server/testing', '--outDir', dist)
  // Older compilers do not resolve `.ts` to the `.d.ts` file.
  for (const path of globSync('**/*.d.ts', { cwd: dist })) {
    const file = join(dist, path)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g, '$1.js'))
  }
  buildSync({
    bundle: true,
    entryPoints: [join(ROOT, 'service-worker/index.ts')],
    minify: true,
    outfile: join(dist, 'service-worker.js')
  })
  write(
    'service-worker.d.ts',
    '// The worker is a file to serve from your own origin; it has nothing to import.\nexport {}\n'
  )

  const described = describe()
  const complete = toCustomElements(described)
  const elements = elementsOf(described)
  write('custom-elements.json', complete)
  write('vscode.html-custom-data.json', customData(elements))
  write('web-types.json', webTypes(elementsOf(complete)))
  write('types/elements.d.ts', elementTypes(elements))
  for (const name of FRAMEWORKS) {
    write(`types/${name}.d.ts`, frameworkTypes(name))
    write(`types/${name}.js`, '// Types only.\nexport {}\n')
  }
  write('types/angular.d.ts', angularTypes(elements))
  write('types/angular.js', angularCode(elements))
  write('package.json', manifestOf(dist))
  copyFileSync(join(import.meta.dirname, 'README.md'), join(dist, 'README.md'))
  copyFileSync(join(ROOT, 'LICENSE'), join(dist, 'LICENSE'))
  return dist
}

if (import.meta.main) process.stdout.write(`${buildPackage()}\n`)
