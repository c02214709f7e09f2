// The package as somebody else has it: packed, unpacked into an empty folder, beside the libraries that it asks for.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { buildPackage } from '../../components/package/build.ts'
import { temporaryDir } from '../support/process.ts'

export const ROOT = join(import.meta.dirname, '../..')

export interface Place {
  /** The folder of the program that uses the package. */
  readonly dir: string
  /** The folder of the package in it. */
  readonly kit: string
  readonly tarball: string
  readonly manifest: {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
    readonly dependencies: Readonly<Record<string, string>>
  }
  /** Runs a script of Node there and returns what it says; what it says when it fails is the error. */
  run(...args: readonly string[]): string
}

const link = (from: string, name: string): void => {
  mkdirSync(dirname(join(from, name)), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', name), join(from, name))
}

/** Needs no network: the libraries are those of this repository, and only those that the package names. */
export function unpackedPackage(): Place {
  // A place of its own: two files of tests may build at once.
  const built = buildPackage(join(temporaryDir(), 'dist'))
  const dir = temporaryDir()
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dir], {
    cwd: built,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const [{ filename }] = JSON.parse(said) as [{ readonly filename: string }]
  const tarball = join(dir, filename)
  const modules = join(dir, 'node_modules')
  const kit = join(modules, 'notif-kit')
  mkdirSync(kit, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', kit])
  const manifest = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8')) as Place['manifest']
  for (const name of Object.keys(manifest.dependencies)) link(modules, name)
  writeFileSync(join(dir, 'package.json'), '{"type":"module","private":true}')
  return {
    dir,
    kit,
    manifest,
    run(...args) {
      try {
        return execFileSync(process.execPath, args, { cwd: dir, encoding: 'utf8', timeout: 100_000 })
      } catch (error) {
        const { stderr, stdout } = error as { stdout: string; stderr: string }
        throw new Error(`${stdout}\n${stderr}`, { cause: error })
      }
    },
    tarball
  }
}
