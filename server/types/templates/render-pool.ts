// Renders templates with loops in worker threads: a job that takes too long ends with its thread, and affects nothing else.
// oxlint-disable unicorn/require-post-message-target-origin -- to threads, not to windows

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import type { RenderLimits } from './liquid.ts'

export interface RenderJob {
  readonly text: string
  readonly html: boolean
  readonly data: Readonly<Record<string, unknown>>
}

export type RenderJobResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly detail: string }

export interface RenderPool {
  run(job: RenderJob): Promise<RenderJobResult>
  close(): Promise<void>
}

interface WaitingJob {
  readonly job: RenderJob
  readonly resolve: (result: RenderJobResult) => void
  /** The job took too long before. */
  readonly isRetry: boolean
}

interface Thread {
  readonly worker: Worker
  isReady: boolean
  current: WaitingJob | undefined
  timer: NodeJS.Timeout | undefined
}

const MAX_WAITING_JOBS = 1_000
/** Beyond the engine's own limit, for garbage collection and a busy machine. */
const GRACE_MS = 300
const HEAP_MEGABYTES = 256

const STOPPING = 'The server is stopping.'
const failure = (detail: string): RenderJobResult => ({ detail, ok: false })

/** Whether the limit of this pool or of the engine ended the job. */
const isLate = (result: RenderJobResult): boolean => !result.ok && /it takes too long\.$/i.test(result.detail)

/** Starts threads when they are needed. An idle thread does not keep the process alive. */
export function createRenderPool(
  { maxMs, maxBytes }: RenderLimits,
  size = Math.max(1, Math.min(4, availableParallelism() - 1))
): RenderPool {
  const threads = new Set<Thread>()
  const queue: WaitingJob[] = []
  let isClosed = false

  const finish = (thread: Thread, result: RenderJobResult): void => {
    clearTimeout(thread.timer)
    const { current } = thread
    thread.current = undefined
    thread.worker.unref()
    // One retry, because both limits use wall-clock time, and the machine may have been busy.
    if (current && !current.isRetry && !isClosed && isLate(result)) queue.push({ ...current, isRetry: true })
    else current?.resolve(result)
  }

  const assign = (thread: Thread, waiting: WaitingJob): void => {
    thread.current = waiting
    thread.worker.ref()
    thread.timer = setTimeout(() => void thread.worker.terminate(), maxMs + GRACE_MS)
    thread.worker.postMessage(waiting.job)
  }

  const dispatch = (): void => {
    for (const thread of threads) {
      if (queue.length === 0) return
      if (thread.isReady && !thread.current) assign(thread, queue.shift()!)
    }
    const startingCount = [...threads].filter(({ isReady }) => !isReady).length
    if (!isClosed && queue.length > startingCount && threads.size < size) start()
  }

  const start = (): void => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, stackSizeMb: 4 },
      workerData: { maxBytes, maxMs }
    })
    const thread: Thread = { current: undefined, isReady: false, timer: undefined, worker }
    threads.add(thread)
    let reason = 'It takes too long.'
    worker.on('message', (message: RenderJobResult | 'ready') => {
      if (message === 'ready') thread.isReady = true
      else finish(thread, message)
      dispatch()
    })
    worker.on('error', error => {
      const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reason = isOutOfMemory ? 'It needs too much memory.' : `The renderer failed: ${error.message}.`
    })
    worker.on('exit', () => {
      threads.delete(thread)
      // A thread that cannot start fails a job, so that it is not started forever.
      if (!thread.isReady) queue.shift()?.resolve(failure(reason))
      finish(thread, failure(isClosed ? STOPPING : reason))
      dispatch()
    })
  }

  return {
    async close() {
      isClosed = true
      for (const waiting of queue.splice(0)) waiting.resolve(failure(STOPPING))
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
    run(job) {
      if (isClosed) return Promise.resolve(failure(STOPPING))
      if (queue.length >= MAX_WAITING_JOBS)
        return Promise.resolve(failure('Too many templates with loops are waiting.'))
      return new Promise(resolve => {
        queue.push({ isRetry: false, job, resolve })
        dispatch()
      })
    }
  }
}
