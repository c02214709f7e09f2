// Locks a data directory for one process by a listening Unix socket in it, which the kernel closes when its process ends.
//
// A process first listens on a socket with a name of its own, and then asks the sockets of others. So of two processes, at
// least one sees the other. A process that finds an owner gives up. Of those that still try, the one with the lowest name
// waits until the others gave up or turned out to be the owner. A socket that refuses connections belongs to a process that
// ended; any process may delete it, because no name is used twice.

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../core/startup-error.ts'

export class DirectoryInUse extends StartupError {
  readonly pid: string

  constructor(directory: string, pid: string) {
    super(
      `The data directory ${directory} is in use by another notif-kit process (pid ${pid}). ` +
        'Stop that process, or set NOTIF_DATA_DIR to another folder.'
    )
    this.pid = pid
  }
}

/** Bytes of the path of a Unix socket without its final NUL: 103 on macOS, 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103
const SOCKET_NAME = /^lock\.[0-9a-f]{16}$/

/**
 * Returns the directory itself, so that containers that share a volume see each other. If its path is too long for a socket,
 * returns a folder for temporary files.
 */
function chooseSocketFolder(directory: string): string {
  if (Buffer.byteLength(join(directory, 'lock.0123456789abcdef')) <= MAX_SOCKET_PATH_BYTES) return directory
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 24)
  const folder = join(tmpdir(), `notif-${digest}`)
  mkdirSync(folder, { mode: 0o700, recursive: true })
  return folder
}

/** `silent`: the process runs, but was closing or too busy to answer. Ask again. */
type State = 'owner' | 'trying' | 'silent'

interface Answer {
  readonly pid: string
  readonly state: State
}

const SILENT: Answer = { pid: 'unknown', state: 'silent' }
/** For one answer; twice as long for a process that stays silent. */
const ANSWER_TIMEOUT_MS = 2_000

/** Asks the process behind a socket. @returns undefined if that process has ended */
async function ask(address: string): Promise<Answer | undefined> {
  const socket = connect(address)
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy())
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

interface LockSocket {
  readonly name: string
  markOwned(): void
  release(): Promise<void>
}

/** Listens on a socket of this process. It is renamed when it can answer, so that no process takes it for a dead one. */
async function listenOnOwnSocket(folder: string): Promise<LockSocket> {
  const id = randomBytes(8).toString('hex')
  const name = `lock.${id}`
  const path = join(folder, name)
  let state: Exclude<State, 'silent'> = 'trying'
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.end(`${process.pid} ${state}\n`)
  })
  server.listen(join(folder, `new.${id}`))
  await once(server, 'listening')
  renameSync(join(folder, `new.${id}`), path)
  server.unref()
  return {
    name,
    markOwned: () => void (state = 'owner'),
    async release() {
      rmSync(path, { force: true })
      server.close()
      await once(server, 'close')
    }
  }
}

/** @returns the pid of the process that gets the directory, or undefined if this one does */
async function findRival(folder: string, ownName: string): Promise<string | undefined> {
  const startedAt = Date.now()
  for (;;) {
    let isUndecided = false
    for (const name of readdirSync(folder).filter(entry => SOCKET_NAME.test(entry) && entry !== ownName)) {
      const answer = await ask(join(folder, name))
      if (!answer) rmSync(join(folder, name), { force: true })
      else if (answer.state === 'owner') return answer.pid
      else if (answer.state === 'trying' && name < ownName) return answer.pid
      else if (Date.now() - startedAt > 2 * ANSWER_TIMEOUT_MS) return answer.pid
      else isUndecided = true
    }
    if (!isUndecided) return undefined
    await pause(5)
  }
}

/**
 * @param directory - created if it is missing
 * @returns a function that unlocks the directory; the end of the process does the same
 * @throws {@link DirectoryInUse}, or {@link StartupError} if the directory cannot be created or written to
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    // Closed to other users. Under root, the user that runs the embedded database must pass through.
    mkdirSync(directory, { mode: process.getuid?.() === 0 ? 0o711 : 0o700, recursive: true })
    const folder = chooseSocketFolder(realpathSync(directory))
    const socket = await listenOnOwnSocket(folder)
    const pid = await findRival(folder, socket.name).catch(async (error: unknown) => {
      await socket.release()
      throw error
    })
    if (pid === undefined) {
      socket.markOwned()
      return socket.release
    }
    await socket.release()
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
