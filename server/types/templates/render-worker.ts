// The thread that renders templates with loops. It can be terminated if a template takes too long.
// oxlint-disable unicorn/require-post-message-target-origin -- to threads, not to windows

import { parentPort, workerData } from 'node:worker_threads'

import type { Template } from 'liquidjs'

import { createEngine, liquidDetail, type RenderLimits } from './liquid.ts'
import type { RenderJob, RenderJobResult } from './render-thread.ts'
import { createTemplateCache } from './template-cache.ts'

const limits = workerData as RenderLimits
const [plain, escaped] = [false, true].map(html => ({
  cache: createTemplateCache<Template[]>(),
  engine: createEngine('full', html, limits)
}))

function run({ text, html, data }: RenderJob): RenderJobResult {
  const { engine, cache } = (html ? escaped : plain)!
  try {
    return { ok: true, text: engine.render(cache.get(text, engine.parse), data) }
  } catch (error) {
    return { detail: liquidDetail(error), ok: false }
  }
}

parentPort!.on('message', (job: RenderJob) => parentPort!.postMessage(run(job)))
parentPort!.postMessage('ready')
