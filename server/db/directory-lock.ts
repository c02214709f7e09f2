// One process per data directory: a listening socket in it, which the kernel releases when its owner dies, however it dies.
//
// Everyone who wants the directory shows a socket of its own name first and looks at the others after that, so of two
// at least one sees the other. Who sees an owner gives up; of those that still try, the lowest name goes on and waits
// until the others have given up or turned out to be the owner. A socket that nobody answers on is a dead one's, and
// may be removed by anyone, because no name is used twice.

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../core/startup-error.ts'

/** The directory has an owner already. */
export class DirectoryInUse extends StartupError {
  readonly pid: string

  constructor(directory: string, pid: string) {
    super(
      `The data directory ${directory} is in use by another notif-kit process (pid ${pid}). ` +
        'Stop that one, or set NOTIF_DATA_DIR to another folder.'
    )
    this.pid = pid
  }
}

/** Bytes of a Unix socket's address, less the ending NUL: 103 on macOS, 107 on Linux. */
const LONGEST = 103
const NAME = /^lock\.[0-9a-f]{16}$/

/** In the directory itself, so that containers sharing a volume see each other; elsewhere only when its path is too long. */
function placeOf(directory: string): string {
  if (Buffer.byteLength(join(directory, 'lock.0123456789abcdef')) <= LONGEST) return directory
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 24)
  const place = join(tmpdir(), `notif-${digest}`)
  mkdirSync(place, { mode: 0o700, recursive: true })
  return place
}

/** `silent`: it lives, but was closing or too busy to say more; ask again. */
type State = 'owner' | 'trying' | 'silent'

interface Answer {
  readonly pid: string
  readonly state: State
}

const SILENT: Answer = { pid: 'unknown', state: 'silent' }
/** Milliseconds for one answer, and for one that stays silent however often it is asked. */
const PATIENCE = 2_000

/** Who is behind a socket, or undefined where nobody is any more. */
async function ask(address: string): Promise<Answer | undefined> {
  const socket = connect(address)
  socket.setTimeout(PATIENCE, () => socket.destroy())
  let answer = ''
  socket.setEncoding('utf8').on('data', text => (answer += text))
  try {
    await once(socket, 'connect')
    await once(socket, 'close')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return code === 'ECONNREFUSED' || code === 'ENOENT' ? undefined : SILENT
  }
  const [pid, state] = answer.trim().split(' ')
  return pid ? { pid, state: state === 'trying' ? 'trying' : 'owner' } : SILENT
}

interface Claim {
  readonly name: string
  own(): void
  release(): Promise<void>
}

/** Shows a socket of our own; it gets its name when it answers already, so it is never taken for a dead one's. */
async function claim(place: string): Promise<Claim> {
  const id = randomBytes(8).toString('hex')
  const name = `lock.${id}`
  const path = join(place, name)
  let state: Exclude<State, 'silent'> = 'trying'
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.end(`${process.pid} ${state}\n`)
  })
  server.listen(join(place, `new.${id}`))
  await once(server, 'listening')
  renameSync(join(place, `new.${id}`), path)
  server.unref()
  return {
    name,
    own: () => void (state = 'owner'),
    async release() {
      rmSync(path, { force: true })
      server.close()
      await once(server, 'close')
    }
  }
}

/** @returns the pid of whom to leave the directory to; undefined: it is ours */
async function rivalOf(place: string, mine: string): Promise<string | undefined> {
  const started = Date.now()
  for (;;) {
    let waiting = false
    for (const name of readdirSync(place).filter(entry => NAME.test(entry) && entry !== mine)) {
      const answer = await ask(join(place, name))
      if (!answer) rmSync(join(place, name), { force: true })
      else if (answer.state === 'owner') return answer.pid
      else if (answer.state === 'trying' && name < mine) return answer.pid
      else if (Date.now() - started > 2 * PATIENCE) return answer.pid
      else waiting = true
    }
    if (!waiting) return undefined
    await pause(5)
  }
}

/**
 * @param directory - made when it is not there
 * @returns how to let go; dying does the same
 * @throws {@link DirectoryInUse}, or {@link StartupError} where it cannot be made or written to
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    mkdirSync(directory, { recursive: true })
    const place = placeOf(realpathSync(directory))
    const mine = await claim(place)
    const pid = await rivalOf(place, mine.name).catch(async (error: unknown) => {
      await mine.release()
      throw error
    })
    if (pid === undefined) {
      mine.own()
      return mine.release
    }
    await mine.release()
    throw new DirectoryInUse(directory, pid)
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error
    throw new StartupError(
      `The data directory ${directory} cannot be used (${(error as Error).message}). ` +
        'Set NOTIF_DATA_DIR to a folder that this user may write to.',
      { cause: error }
    )
  }
}
