// Chooses the user that runs Postgres. Postgres does not run as root, so root starts it as an unprivileged user that owns the
// data.
//
// New data gets a user id of its own without an account, because other services may run as `nobody`. Only initdb needs a name.

import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
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

/** Ids that no distribution and no systemd service uses (systemd, "Users, Groups, UIDs and GIDs on systemd Systems"). */
const UNUSED_IDS = { first: 60_706, end: 61_184 }

const readPasswd = (): string => readFileSync('/etc/passwd', 'utf8')

/** Differs between installations on one machine. */
function chooseUnusedIds(): Ids {
  const accounts = readPasswd()
  for (;;) {
    const id = randomInt(UNUSED_IDS.first, UNUSED_IDS.end)
    if (!accounts.includes(`:${id}:`)) return { gid: id, uid: id }
  }
}

function readNobody(): Ids | undefined {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readPasswd())
  return line ? { gid: Number(line[2]), uid: Number(line[1]) } : undefined
}

/** @returns a warning if Postgres runs as `nobody`, whose other processes can read and change the data */
export function warnOfSharedUser({ files }: Owner, data: string): string | undefined {
  if (!files || files.uid !== readNobody()?.uid) return undefined
  const { uid, gid } = chooseUnusedIds()
  return (
    'warning: the embedded database runs as the user nobody, and other services of this machine may run as the same user. ' +
    `Stop this server and run "chown -R ${uid}:${gid} '${data}'", start as another user, or set DATABASE_URL.`
  )
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
 */
function findRights(files: Ids, postgres: string, directory: string): Owner | undefined {
  const candidates: Owner[] = [
    { files, prefix: [], spawn: files },
    { files, prefix: dropRights(files, 'dac_read_search'), spawn: {} },
    { files, prefix: dropRights(files, 'dac_override'), spawn: {} }
  ]
  const probe = ['/bin/sh', '-c', 'cd "$1" && "$0" --version', postgres, directory]
  return candidates.find(({ prefix, spawn }) => {
    const [command, ...rest] = [...prefix, ...probe]
    return spawnSync(command!, rest, { cwd: '/', stdio: 'ignore', ...spawn }).status === 0
  })
}

/**
 * @param postgres - the program that the owner must be able to run
 * @param directory - the folder that the owner must be able to enter. A parent such as /root may be closed to other users
 * @param data - PGDATA, which may be missing
 * @throws {@link StartupError} if no user can run it
 */
export function findOwner(postgres: string, directory: string, data: string): Owner {
  if (process.getuid?.() !== 0) return SAME_USER
  const existing = readDataOwner(data)
  // In some containers a process can be only a user with an account.
  const choices = existing ? [existing] : [chooseUnusedIds(), readNobody()]
  for (const ids of choices) {
    const owner = ids && findRights(ids, postgres, directory)
    if (owner) return owner
  }
  throw new StartupError(
    `Under root, the embedded database runs as user ${existing?.uid ?? 'nobody'}, which may not enter ${directory} or run ${postgres}. ` +
      'Set NOTIF_DATA_DIR to a folder that other users may enter, start as another user, ' +
      'or set DATABASE_URL to a Postgres database.'
  )
}

/**
 * Returns the user that runs initdb, which looks up the name of its user. Its files then go to the owner.
 *
 * @throws {@link StartupError} if there is no such user
 */
export function findCreator(owner: Owner, initdb: string, directory: string): Owner {
  if (!owner.files) return owner
  const nobody = readNobody()
  const creator = nobody && findRights(nobody, initdb, directory)
  if (creator) return creator
  throw new StartupError(
    'Under root, the embedded database is created as the user nobody, which does not exist here or may not enter ' +
      `${directory}. Start as another user, or set DATABASE_URL to a Postgres database.`
  )
}
