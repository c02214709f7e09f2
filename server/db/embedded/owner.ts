// Chooses the user that runs Postgres. Postgres does not run as root, so root starts it as an unprivileged user that owns the
// data.

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

import { StartupError } from '../../core/startup-error.ts'

export interface Owner {
  /** The owner of the files. Undefined: this process is not root, and Postgres runs as the same user. */
  readonly files: { readonly uid: number; readonly gid: number } | undefined
  /** Options of spawn. Empty if `prefix` changes the user, because it needs the rights of this process. */
  readonly spawn: { readonly uid?: number; readonly gid?: number }
  /** Program before the command. It replaces itself by the command, so that the process id stays the same. */
  readonly prefix: readonly string[]
}

const SAME_USER: Owner = { files: undefined, prefix: [], spawn: {} }

interface Ids {
  readonly uid: number
  readonly gid: number
}

/** Returns the ids of a user with a name, because Postgres looks up the name of its user. */
function readNobody(): Ids {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  if (!line) {
    throw new StartupError(
      'Under root, the embedded database runs as the user nobody, which does not exist here. ' +
        'Start as another user, or set DATABASE_URL to a Postgres database.'
    )
  }
  return { gid: Number(line[2]), uid: Number(line[1]) }
}

/** Returns the owner of existing data that another user than root created. */
function readDataOwner(data: string): Ids | undefined {
  const found = statSync(data, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { gid: found.gid, uid: found.uid } : undefined
}

/**
 * Returns a command prefix that changes the user and keeps one capability of root. With the securebit, the capability also
 * counts for access(2), with which Postgres checks its own programs.
 */
const dropRights = ({ uid, gid }: Ids, capability: string): string[] => [
  'setpriv',
  '--securebits=+no_setuid_fixup',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  `--inh-caps=-all,+${capability}`,
  `--ambient-caps=-all,+${capability}`,
  `--bounding-set=-all,+${capability}`
]

/**
 * Tries the fewest rights first: none; then passing through closed folders, which containers rarely grant; then writing in
 * them too.
 *
 * @param postgres - the program that the owner must be able to run
 * @param directory - the folder that the owner must be able to enter. A parent such as /root may be closed to other users
 * @param data - PGDATA, which may be missing
 */
export function findOwner(postgres: string, directory: string, data: string): Owner {
  if (process.getuid?.() !== 0) return SAME_USER
  const files = readDataOwner(data) ?? readNobody()
  const candidates: Owner[] = [
    { files, prefix: [], spawn: files },
    { files, prefix: dropRights(files, 'dac_read_search'), spawn: {} },
    { files, prefix: dropRights(files, 'dac_override'), spawn: {} }
  ]
  const probe = ['/bin/sh', '-c', 'cd "$1" && "$0" --version', postgres, directory]
  for (const owner of candidates) {
    const [command, ...rest] = [...owner.prefix, ...probe]
    if (spawnSync(command!, rest, { cwd: '/', stdio: 'ignore', ...owner.spawn }).status === 0) return owner
  }
  throw new StartupError(
    `Under root, the embedded database runs as user ${files.uid}, which may not enter ${directory} or run ${postgres}. ` +
      'Set NOTIF_DATA_DIR to a folder that other users may enter, start as another user, ' +
      'or set DATABASE_URL to a Postgres database.'
  )
}
