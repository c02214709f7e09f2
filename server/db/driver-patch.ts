// Checks that the Postgres driver in node_modules carries the patch of `patches/`.
//
// An unpatched driver can end the process, or give one query the rows of another (patches/README.md). `npm install`
// applies the patch in `postinstall`; `--ignore-scripts` skips that step.

import postgres from 'postgres'

/** The level that the patch writes into the driver. Raise both with every change of the patch. */
const PATCH_LEVEL = 1

/** @returns what is wrong and which command repairs it, or undefined if the driver is patched */
export function findDriverProblem(): string | undefined {
  const { patchLevel } = postgres as typeof postgres & { readonly patchLevel?: number }
  if (patchLevel === PATCH_LEVEL) return undefined
  return patchLevel === undefined
    ? 'The Postgres driver is not patched. Run `npx patch-package` in the folder of package.json, then start again.'
    : 'The Postgres driver has the patch of another version. Delete node_modules/postgres and run `npm install`, then start again.'
}
