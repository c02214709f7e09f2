// As whom Postgres runs. It refuses to be root, so root hands it to an unprivileged user who owns the data.

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

import { StartupError } from '../../core/startup-error.ts'

export interface Owner {
  /** Who owns the files; undefined: we are an ordinary user, and so is Postgres. */
  readonly files: { readonly uid: number; readonly gid: number } | undefined
  /** For spawn. Empty where the prefix changes the user, because it must start with our rights. */
  readonly spawn: { readonly uid?: number; readonly gid?: number }
  /** What a command line starts with; it replaces itself by the command, so that pids stay the same. */
  readonly prefix: readonly string[]
}

const ORDINARY: Owner = { files: undefined, prefix: [], spawn: {} }

interface Ids {
  readonly uid: number
  readonly gid: number
}

/** Postgres looks its own user up, so a number without a name will not do. */
function nobody(): Ids {
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  if (!line) {
    throw new StartupError(
      'As root the embedded database runs as the user nobody, who does not exist here. ' +
        'Start as another user, or set DATABASE_URL to a Postgres.'
    )
  }
  return { gid: Number(line[2]), uid: Number(line[1]) }
}

/** Whose the data is already, where a normal user has made it; root looks after it in that user's name. */
function ownerOf(data: string): Ids | undefined {
  const found = statSync(data, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { gid: found.gid, uid: found.uid } : undefined
}

/**
 * Changes the user and keeps one right, by name; everything else of root is gone for good. The bit makes the right
 * count for access(2) as well, by which Postgres looks at its own programs.
 */
const through = ({ uid, gid }: Ids, capability: string): string[] => [
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
 * The least that works, found by trying: nothing; else passing through closed folders, a right that containers rarely
 * grant; else writing there too.
 *
 * @param postgres - the program that the owner must be able to run
 * @param directory - the folder that it must be able to enter; its parents too, like /root, which is closed to others
 * @param data - PGDATA, which may exist
 */
export function findOwner(postgres: string, directory: string, data: string): Owner {
  if (process.getuid?.() !== 0) return ORDINARY
  const files = ownerOf(data) ?? nobody()
  const candidates: Owner[] = [
    { files, prefix: [], spawn: files },
    { files, prefix: through(files, 'dac_read_search'), spawn: {} },
    { files, prefix: through(files, 'dac_override'), spawn: {} }
  ]
  const probe = ['/bin/sh', '-c', 'cd "$1" && "$0" --version', postgres, directory]
  for (const owner of candidates) {
    const [command, ...rest] = [...owner.prefix, ...probe]
    if (spawnSync(command!, rest, { cwd: '/', stdio: 'ignore', ...owner.spawn }).status === 0) return owner
  }
  throw new StartupError(
    `As root the embedded database runs as user ${files.uid}, who may not enter ${directory} or run ${postgres}. ` +
      'Set NOTIF_DATA_DIR to a folder that others may pass through, start as another user, ' +
      'or set DATABASE_URL to a Postgres.'
  )
}
