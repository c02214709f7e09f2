// Closes an existing data folder to other users: an earlier version created it open.

import { chmodSync, readdirSync, statSync } from 'node:fs'

/** What this server writes into its data folder. A folder with other files may be shared on purpose. */
const OWN_FILE =
  /^(README\.txt|key|password|postgres|postgres\.new|postgres\.log(\.1)?|version|(lock|new)\.[0-9a-f]{16})$/

/**
 * Leaves a folder with foreign files as it is: it may be a home folder or `/tmp`.
 *
 * @param isRoot - other users may then pass through the folder, because Postgres runs as another user; they cannot list it
 * @returns a warning with what to do, if other users can still list the folder or write to it
 */
export function closeDataFolder(folder: string, isRoot = process.getuid?.() === 0): string | undefined {
  const mode = isRoot ? 0o711 : 0o700
  const rights = statSync(folder).mode & 0o777
  if ((rights & ~mode) === 0) return undefined
  if (readdirSync(folder).every(name => OWN_FILE.test(name))) {
    try {
      chmodSync(folder, rights & mode)
      return undefined
    } catch {
      // It belongs to another user.
    }
  }
  return (
    `warning: other users may read or change the data directory ${folder}. ` +
    `Run "chmod ${mode.toString(8)} '${folder}'", or set NOTIF_DATA_DIR to a folder of its own.`
  )
}
