// One request from its arrival to its answer: a problem where there was an error, one log line, one measurement.

import { randomUUID } from 'node:crypto'

import type { Request, Response } from 'express'

import type { Log } from '../core/log.ts'
import { problemOf } from './problem-from-error.ts'
import type { Problem } from './problem.ts'
import type { Answer } from './route.ts'
import { writeAnswer, writeProblem } from './write-response.ts'

export interface Seen {
  readonly method: string
  /** The pattern, e.g. `/:clientId/sender`; `none` where nothing is mounted. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

export interface RunOptions {
  readonly log: Log
  /** Told about every request, for the metrics. */
  readonly observe: ((seen: Seen) => void) | undefined
  /** Milliseconds in which whoever asked takes something of the answer. */
  readonly patience: number
  /** Of addresses in problems (prefix.ts). */
  readonly prefix: string
}

/**
 * Never rejects: what `work` throws is answered.
 *
 * @param route - as in {@link Seen}
 * @param work - gets the headers of the answer, also of a failed one, to add to
 */
export type Run = (
  request: Request,
  response: Response,
  route: string,
  work: (headers: Record<string, string>) => Promise<Answer>
) => Promise<void>

export function openRun({ log, observe, patience, prefix }: RunOptions): Run {
  // These lines hold nothing to hide, and looking for it is half of their cost.
  const lines = log.child({}, { redact: [] })

  return async (request, response, route, work) => {
    const start = performance.now()
    const requestId = requestIdOf(request)
    const headers: Record<string, string> = { 'x-request-id': requestId }
    let failure: Problem | undefined
    try {
      await writeAnswer(response, await work(headers), headers, patience)
    } catch (error) {
      failure = problemOf(error)
      if (response.headersSent || response.destroyed) response.destroy()
      else writeProblem(response, failure, `/requests/${requestId}`, headers, prefix)
    }
    const seconds = (performance.now() - start) / 1000
    const status = failure?.status ?? response.statusCode
    observe?.({ method: request.method, route, seconds, status })
    // Never the address or a header: they hold user ids and secrets.
    const line = {
      env: request.params?.['clientId'],
      method: request.method,
      ms: Math.round(seconds * 100_000) / 100,
      requestId,
      route,
      status,
      ...(failure && { problem: failure.slug })
    }
    if (status >= 500) log.error({ ...line, err: failure?.cause }, 'request failed')
    else lines.info(line, 'request')
  }
}

/** Of a proxy or a caller who wants to find the request again; anything else could forge a log. */
function requestIdOf({ headers }: Request): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
}
