// NOTIF_TYPES_DIR is looked into before anything is opened: a wrong path must not end a start half way.

import { readdir } from 'node:fs/promises'

import { StartupError } from '../core/startup-error.ts'

/** @throws StartupError */
export async function lookInto(dir: string): Promise<void> {
  try {
    await readdir(dir)
  } catch (error) {
    throw new StartupError(
      `The folder of types cannot be read (${(error as Error).message}). ` +
        'Set NOTIF_TYPES_DIR to a folder that this user may read.'
    )
  }
}
