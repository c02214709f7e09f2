// One worker thread that renders templates with loops. A job that takes too long ends with its thread.
// oxlint-disable unicorn/require-post-message-target-origin -- to threads, not to windows

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

export interface RenderThread {
  readonly isIdle: () => boolean
  /** @returns the result, or a failure if the thread ends before */
  run(job: RenderJob): Promise<RenderJobResult>
  terminate(): Promise<unknown>
}

/** Beyond the engine's own limit, for garbage collection and a busy machine. */
const GRACE_MS = 300
const HEAP_MEGABYTES = 256

const LATE = 'It takes too long.'

/** Whether the limit of the thread or of the engine ended the job. */
export const isLate = (result: RenderJobResult): boolean =>
  !result.ok && /it takes too long\.$/i.test(result.detail)

/** An idle thread does not keep the process alive. */
export function startRenderThread({ maxBytes, maxMs }: RenderLimits, onExit: () => void): RenderThread {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES, stackSizeMb: 4 },
    workerData: { maxBytes, maxMs }
  })
  let isReady = false
  let current: { readonly job: RenderJob; finish(result: RenderJobResult): void } | undefined
  let timer: NodeJS.Timeout | undefined
  let reason = LATE
  let isEnding = false

  // The time of a job begins when the thread has started.
  const begin = (): void => {
    if (!current || !isReady) return
    timer = setTimeout(() => {
      isEnding = true
      void worker.terminate()
    }, maxMs + GRACE_MS)
    worker.postMessage(current.job)
  }
  const finish = (result: RenderJobResult): void => {
    clearTimeout(timer)
    current?.finish(result)
    current = undefined
    worker.unref()
  }

  worker.on('message', (message: RenderJobResult | 'ready') => {
    if (message !== 'ready') return finish(message)
    isReady = true
    begin()
  })
  worker.on('error', error => {
    const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reason = isOutOfMemory ? 'It needs too much memory.' : `The renderer failed: ${error.message}.`
  })
  worker.on('exit', () => {
    onExit()
    finish({ detail: reason, ok: false })
  })
  return {
    isIdle: () => current === undefined && !isEnding,
    run: job =>
      new Promise(resolve => {
        current = { finish: resolve, job }
        worker.ref()
        begin()
      }),
    terminate: () => worker.terminate()
  }
}
