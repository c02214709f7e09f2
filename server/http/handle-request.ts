// Runs one request: writes its answer or its problem, one log line and one measurement.

import { randomUUID } from 'node:crypto'

import type { Request, Response } from 'express'

import { toLogPointer, toLogText, type Log } from '../core/log.ts'
import type { UnsentBytes } from '../core/unsent-bytes.ts'
import { toProblem, type Problem } from './problem.ts'
import { subjectOf } from './request-subject.ts'
import type { Answer, CallOf } from './route.ts'
import { writeAnswer, writeProblem } from './write-response.ts'

export interface ObservedRequest {
  readonly method: string
  /** The path pattern, such as `/:clientId/sender`; `none` if no route matches. */
  readonly route: string
  /** The environment of the address or the token, if it exists. */
  readonly envId?: string | undefined
  readonly status: number
  readonly seconds: number
}

export interface RequestRunnerOptions {
  readonly log: Log
  /** Called after every request, for the metrics. */
  readonly observe: ((seen: ObservedRequest) => void) | undefined
  readonly readerTimeoutMs: number
  readonly unsent: UnsentBytes
  /** Returns whose unread bytes an answer counts as, if no user is known. */
  readonly clientOf: (request: Request) => string
  readonly prefix: string
}

/** What the work of a request may set beside its answer. */
export interface Reply {
  /** Sent with the answer, or with the problem. */
  readonly headers: Record<string, string>
  /** Whose unread bytes the answer counts as. */
  client: string
  /** Id of an existing environment. */
  envId?: string
  /** Set as soon as the request is read. */
  call?: Pick<CallOf['anyone'], 'body' | 'query'>
}

/**
 * Never rejects: an error of `work` becomes a problem.
 *
 * @param route - see {@link ObservedRequest}
 */
export type RunRequest = (
  request: Request,
  response: Response,
  route: string,
  work: (reply: Reply) => Promise<Answer>
) => Promise<void>

const MAX_CLIENT_ID_CHARACTERS = 255

/** Wrong fields that a log line names at most. */
const MAX_LOGGED_POINTERS = 5

/** What helps to find the cause of a refused request: where it is wrong and whom it is about, but no value of it. */
const refusalFields = ({ errors, status }: Problem, request: Request, { call }: Pick<Reply, 'call'>) =>
  status < 500 && {
    ...(errors.length > 0 && {
      pointers: errors.slice(0, MAX_LOGGED_POINTERS).map(({ pointer }) => toLogPointer(pointer))
    }),
    ...subjectOf(request.params ?? {}, call)
  }

export function createRequestRunner({
  log,
  observe,
  clientOf,
  prefix,
  readerTimeoutMs: timeoutMs,
  unsent
}: RequestRunnerOptions): RunRequest {
  const errorLog = log.child({ component: 'http' })
  // These lines contain no secrets, and redaction is half of their cost.
  const requestLog = log.child({ component: 'http' }, { redact: [] })

  return async (request, response, route, work) => {
    const start = performance.now()
    const requestId = requestIdOf(request)
    const headers: Record<string, string> = { 'x-request-id': requestId }
    const reply: Reply = { client: clientOf(request), headers }
    let failure: Problem | undefined
    try {
      const answer = await work(reply)
      await writeAnswer(response, answer, headers, { client: reply.client, timeoutMs, unsent })
    } catch (error) {
      failure = toProblem(error)
      if (response.headersSent || response.destroyed) response.destroy()
      else writeProblem(response, failure, `/requests/${requestId}`, headers, prefix)
    }
    const seconds = (performance.now() - start) / 1000
    const status = failure?.status ?? response.statusCode
    observe?.({ envId: reply.envId, method: request.method, route, seconds, status })
    // Without path and headers: they contain user ids and secrets.
    const envId = request.params?.['clientId']
    const fields = {
      durationMs: Math.round(seconds * 100_000) / 100,
      envId: envId === undefined ? undefined : toLogText(String(envId), MAX_CLIENT_ID_CHARACTERS),
      method: request.method,
      requestId,
      route,
      status,
      ...(failure && { code: failure.slug, ...refusalFields(failure, request, reply) })
    }
    if (status >= 500) {
      errorLog.error(
        { event: 'request_failed', ...fields, err: failure?.cause },
        'request failed; the client got a problem without the cause'
      )
    } else requestLog.info({ event: 'request', ...fields }, 'request answered')
  }
}

/** Accepts the id of a proxy or client, so that they can find the request again; any other text could forge log lines. */
function requestIdOf({ headers }: Request): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID()
}
