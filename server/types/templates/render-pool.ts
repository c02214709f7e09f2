// Renders templates with loops in worker threads, which environments use in turn.

import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'

import { LRUCache } from 'lru-cache'

import { FairSlots } from '../../core/fair-slots.ts'
import { Problem } from '../../http/problem.ts'
import type { RenderLimits } from './liquid.ts'
import {
  isLate,
  startRenderThread,
  type RenderJob,
  type RenderJobResult,
  type RenderThread
} from './render-thread.ts'

/** On whose behalf a template is rendered. */
export interface RenderOrigin {
  readonly envId: string
  /** Its signal is aborted if the client disconnects. Read only if a template has a loop, because most have none. */
  readonly caller?: { readonly signal: AbortSignal } | undefined
}

export interface RenderPool {
  /** @throws Problem if the client disconnects while the job waits, or if too many jobs of its environment wait */
  run(job: RenderJob, origin: RenderOrigin): Promise<RenderJobResult>
  /** Ends running and waiting jobs. */
  close(): Promise<void>
}

const MAX_THREADS_PER_ENVIRONMENT = 4
/** Of one environment. */
const MAX_WAITING_JOBS = 1_000
/** For a caller whose template found no place. */
const RETRY_AFTER_SECONDS = 1

/** For this long after it was late, a template has no second attempt. */
const LATE_MEMORY_MS = 60_000
const MAX_LATE_TEMPLATES = 1_000

const STOPPING: RenderJobResult = { detail: 'The server is stopping.', ok: false }

/**
 * Starts threads when they are needed. One environment may use all but one, so that a template of another never waits for all
 * that it has queued.
 */
export function createRenderPool(
  limits: RenderLimits,
  size = 1 + Math.max(1, Math.min(MAX_THREADS_PER_ENVIRONMENT, availableParallelism() - 1))
): RenderPool {
  const threads = new Set<RenderThread>()
  const slots = new FairSlots({
    slots: size,
    slotsPerEnvironment: Math.max(1, size - 1),
    waitingPerEnvironment: MAX_WAITING_JOBS
  })
  const lateTemplates = new LRUCache<string, true>({ max: MAX_LATE_TEMPLATES, ttl: LATE_MEMORY_MS })
  let isClosed = false

  const startThread = (): RenderThread => {
    const thread = startRenderThread(limits, () => threads.delete(thread))
    threads.add(thread)
    return thread
  }

  const runOnThread = async (job: RenderJob): Promise<RenderJobResult> => {
    if (isClosed) return STOPPING
    const thread = [...threads].find(one => one.isIdle()) ?? startThread()
    const result = await thread.run(job)
    return isClosed ? STOPPING : result
  }

  const runInTurn = async (job: RenderJob, { caller, envId }: RenderOrigin): Promise<RenderJobResult> => {
    const result = await slots.run(envId, caller?.signal, () => runOnThread(job))
    if (result.ok) return result.value
    if (result.reason === 'full') {
      const detail = `Too many templates with loops are waiting. Retry in ${RETRY_AFTER_SECONDS} second.`
      // A send that waits in the queue has no caller to retry it.
      if (!caller) return { detail, ok: false }
      throw new Problem('rate-limited', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } })
    }
    throw new Problem('rate-limited', 'The client disconnected while its templates waited for a thread.')
  }

  return {
    async close() {
      isClosed = true
      await Promise.all([...threads].map(thread => thread.terminate()))
    },
    async run(job, origin) {
      const first = await runInTurn(job, origin)
      if (isClosed || !isLate(first)) return first
      // A second attempt, because the time limits use wall-clock time, and the machine may have been busy.
      const key = `${origin.envId} ${createHash('sha256').update(job.text).digest('base64')}`
      const wasLate = lateTemplates.has(key)
      lateTemplates.set(key, true)
      if (wasLate) return first
      const second = await runInTurn(job, origin)
      if (!isLate(second)) lateTemplates.delete(key)
      return second
    }
  }
}
