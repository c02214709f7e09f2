// The package and the frameworks in one folder, as an app has them.

import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { unpackedPackage, type Place } from '../package/place.ts'
import { ensureInstalled } from '../support/install-packages.ts'

const HERE = import.meta.dirname

/** Links what is missing: a package, or the packages of a scope that both have. */
function linkAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const there = new Set(readdirSync(to))
  for (const name of readdirSync(from)) {
    if (there.has(name) && name.startsWith('@')) linkAll(join(from, name), join(to, name))
    else if (!there.has(name)) symlinkSync(join(from, name), join(to, name))
  }
}

/** @throws Error in a sentence where the frameworks are not here and cannot be installed */
export function frameworksPlace(): Place {
  ensureInstalled(HERE, '@angular/compiler-cli')
  const place = unpackedPackage()
  linkAll(join(HERE, 'node_modules'), join(place.dir, 'node_modules'))
  cpSync(join(HERE, 'apps'), join(place.dir, 'apps'), { recursive: true })
  const demos = join(HERE, '../../demo/apps')
  for (const name of ['angular', 'in-app.ts', 'session.ts']) {
    cpSync(join(demos, name), join(place.dir, 'demo', name), { recursive: true })
  }
  return place
}
