// The thread in which templates with loops are rendered: it can be killed, this process cannot.
// oxlint-disable unicorn/require-post-message-target-origin -- to threads, not to windows

import { parentPort, workerData } from 'node:worker_threads'

import type { Template } from 'liquidjs'

import { createEngine, liquidDetail, type RenderLimits } from './liquid.ts'
import type { Job, JobResult } from './render-pool.ts'
import { createTemplateCache } from './template-cache.ts'

const limits = workerData as RenderLimits
const [plain, escaped] = [false, true].map(html => ({
  cache: createTemplateCache<Template[]>(),
  engine: createEngine('full', html, limits)
}))

function run({ text, html, data }: Job): JobResult {
  const { engine, cache } = (html ? escaped : plain)!
  try {
    return { ok: true, text: engine.render(cache.get(text, engine.parse), data) }
  } catch (error) {
    return { detail: liquidDetail(error), ok: false }
  }
}

parentPort!.on('message', (job: Job) => parentPort!.postMessage(run(job)))
parentPort!.postMessage('ready')
