// Threads for templates that may not stop: a job that is over its time takes its thread with it, and nothing else.
// oxlint-disable unicorn/require-post-message-target-origin -- to threads, not to windows

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import type { RenderLimits } from './liquid.ts'

export interface Job {
  readonly text: string
  readonly html: boolean
  readonly data: Readonly<Record<string, unknown>>
}

export type JobResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly detail: string }

export interface Pool {
  run(job: Job): Promise<JobResult>
  /** Gives up what is under way and what waits. */
  close(): Promise<void>
}

interface Waiting {
  readonly job: Job
  readonly settle: (result: JobResult) => void
  /** It was late before. */
  readonly again: boolean
}

interface Thread {
  readonly worker: Worker
  ready: boolean
  current: Waiting | undefined
  timer: NodeJS.Timeout | undefined
}

/** Jobs that wait for a thread, at most. */
const QUEUE = 1_000
/** Milliseconds beyond the engine's own limit, for garbage collection and a busy machine. */
const GRACE = 300
/** Megabytes of one thread. */
const HEAP = 256

const STOPPING = 'The server is stopping.'
const failure = (detail: string): JobResult => ({ detail, ok: false })

/** By this limit, or by the engine's own. */
const isLate = (result: JobResult): boolean => !result.ok && /it takes too long\.$/i.test(result.detail)

/** Threads are started when they are needed, and an idle one does not keep the process alive. */
export function createPool(
  { millis, bytes }: RenderLimits,
  size = Math.max(1, Math.min(4, availableParallelism() - 1))
): Pool {
  const threads = new Set<Thread>()
  const queue: Waiting[] = []
  let closed = false

  const settle = (thread: Thread, result: JobResult): void => {
    clearTimeout(thread.timer)
    const { current } = thread
    thread.current = undefined
    thread.worker.unref()
    // Both limits go by the clock on the wall: a machine that was busy elsewhere must not cost a mail.
    if (current && !current.again && !closed && isLate(result)) queue.push({ ...current, again: true })
    else current?.settle(result)
  }

  const give = (thread: Thread, waiting: Waiting): void => {
    thread.current = waiting
    thread.worker.ref()
    thread.timer = setTimeout(() => void thread.worker.terminate(), millis + GRACE)
    thread.worker.postMessage(waiting.job)
  }

  const next = (): void => {
    for (const thread of threads) {
      if (queue.length === 0) return
      if (thread.ready && !thread.current) give(thread, queue.shift()!)
    }
    const starting = [...threads].filter(({ ready }) => !ready).length
    if (!closed && queue.length > starting && threads.size < size) start()
  }

  const start = (): void => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP, stackSizeMb: 4 },
      workerData: { bytes, millis }
    })
    const thread: Thread = { current: undefined, ready: false, timer: undefined, worker }
    threads.add(thread)
    let reason = 'It takes too long.'
    worker.on('message', (message: JobResult | 'ready') => {
      if (message === 'ready') thread.ready = true
      else settle(thread, message)
      next()
    })
    worker.on('error', error => {
      const memory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reason = memory ? 'It needs too much memory.' : `The renderer failed: ${error.message}.`
    })
    worker.on('exit', () => {
      threads.delete(thread)
      // One that cannot even start must not be started for ever.
      if (!thread.ready) queue.shift()?.settle(failure(reason))
      settle(thread, failure(closed ? STOPPING : reason))
      next()
    })
  }

  return {
    async close() {
      closed = true
      for (const waiting of queue.splice(0)) waiting.settle(failure(STOPPING))
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
    run(job) {
      if (closed) return Promise.resolve(failure(STOPPING))
      if (queue.length >= QUEUE) return Promise.resolve(failure('Too many templates with loops are waiting.'))
      return new Promise(settle => {
        queue.push({ again: false, job, settle })
        next()
      })
    }
  }
}
