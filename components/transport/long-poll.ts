// Live events by long polls, for networks that refuse WebSockets. Most pages never load this.

import { NO_PAUSE } from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import { TransportError, type LiveEvent } from '../store/transport.ts'
import type { HttpCommands } from './http.ts'

/** The server accepts at most 25. A proxy that gives up sooner gets shorter polls. */
const [MIN_WAIT_SECONDS, MAX_WAIT_SECONDS] = [5, 25]
/** Between the starts of two polls, so that a burst of changes is few reads. */
const PACE_MS = 1000
/** After an answer that came too early or not at all: the server is full or stopping. Twice as long at most. */
const EARLY_PAUSE_MS = 10_000

type News = Awaited<ReturnType<HttpCommands['waitForChange']>>

interface Options {
  readonly commands: Pick<HttpCommands, 'getChanges' | 'getPage' | 'waitForChange'>
  readonly environment: Pick<BaseEnvironment, 'after'>
  readonly listener: (event: LiveEvent) => void
  /** Ends the polls. */
  readonly signal: AbortSignal
  /** The version that the store knows. */
  readonly version: () => number | undefined
}

/** Polls until the signal aborts or the credentials are refused. Rejects if requests that do not wait fail, too. */
export async function poll(options: Options): Promise<void> {
  try {
    await pollUntilFailure(options)
  } catch (error) {
    if (options.signal.aborted) return
    if (!(error instanceof TransportError) || error.status !== 401) throw error
    options.listener({ detail: '', title: error.message, type: 'refused' })
  }
}

async function pollUntilFailure({
  commands,
  environment,
  listener,
  signal,
  version
}: Options): Promise<void> {
  const known = version()
  const page = known === undefined ? await commands.getPage(1) : undefined
  if (signal.aborted) return
  if (page) listener({ counts: page.counts, type: 'head', version: page.version })
  let since = page?.version ?? known!
  let longestWait = MAX_WAIT_SECONDS
  let wait = page ? longestWait : 0
  for (let hasFailed = false; ;) {
    const startedAt = performance.now()
    try {
      const answer: News = await (wait > 0
        ? commands.waitForChange(since, wait, signal)
        : commands.getChanges(since))
      if (signal.aborted) return
      const waitedMs = performance.now() - startedAt
      const isQuiet = 'items' in answer && answer.version === since
      const isEarly = hasFailed || waitedMs < wait * 500
      if ('reset' in answer) listener({ ...answer, type: 'reset' })
      else if ('preferences' in answer) {
        const { pause } = answer
        listener({ type: 'preferences', ...(pause && { pause }) })
      } else {
        if (!isQuiet) listener({ change: answer, type: 'change' })
        // Preferences have no version: changes between two polls are found by this read.
        else if (wait > 0) listener({ type: 'preferences' })
        // The heartbeat of other tabs.
        listener({
          counts: answer.counts,
          type: 'head',
          version: answer.version,
          // Only an answer without changes knows the pause.
          ...(isQuiet && wait > 0 && { pause: answer.pause ?? NO_PAUSE })
        })
      }
      if ('version' in answer) since = answer.version
      hasFailed = false
      wait = longestWait
      const pauseMs = isQuiet && isEarly ? EARLY_PAUSE_MS * (1 + Math.random()) : PACE_MS - waitedMs
      if (pauseMs > 0) await new Promise<void>(resolve => environment.after(pauseMs, resolve))
      if (signal.aborted) return
    } catch (error) {
      if (signal.aborted || wait === 0) throw error
      hasFailed = true
      longestWait = Math.max(MIN_WAIT_SECONDS, wait / 2)
      wait = 0
    }
  }
}
