// Checks NOTIF_TYPES_DIR before anything is opened, so that a wrong path does not stop a half-finished start.

import { readdir } from 'node:fs/promises'

import { StartupError } from '../core/startup-error.ts'

/** @throws StartupError if the folder cannot be read */
export async function assertReadableFolder(dir: string): Promise<void> {
  try {
    await readdir(dir)
  } catch (error) {
    throw new StartupError(
      `NOTIF_TYPES_DIR: the folder cannot be read (${(error as Error).message}). ` +
        'Set it to a folder that this user may read.'
    )
  }
}
