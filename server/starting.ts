// What is answered before there is anything to answer from: requests wait a moment for the start, probes do not.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { Problem } from './http/problem.ts'
import { writeProblem } from './http/reply.ts'

/** Milliseconds. A start with a database at hand takes less, so a node that is replaced refuses nobody. */
const PATIENCE = 10_000

/** Requests that wait at most; their bodies are not read yet. */
const WAITING = 1000

/** Below whatever path a proxy leaves on. */
const isProbe = ({ url = '' }: IncomingMessage, name: string): boolean => new RegExp(`/${name}$`).test(url)

export interface Starting {
  readonly listener: RequestListener
  /** Everyone who waits is to be answered now. */
  handOver(answer: RequestListener): void
  /** It came to nothing: whoever waits is told to come again. */
  refuse(): void
}

export function openStarting(patience = PATIENCE): Starting {
  const waiting = new Map<ServerResponse, { request: IncomingMessage; tooLong: NodeJS.Timeout }>()

  const forget = (response: ServerResponse): void => {
    clearTimeout(waiting.get(response)?.tooLong)
    waiting.delete(response)
  }
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    const problem = new Problem('unavailable', 'The server is starting.', { headers: { 'retry-after': '1' } })
    writeProblem(response, problem, request.url ?? '/', {})
  }

  return {
    handOver(answer) {
      for (const [response, { request }] of waiting) {
        forget(response)
        answer(request, response)
      }
    },
    listener(request, response) {
      if (isProbe(request, 'healthz')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
        return
      }
      if (isProbe(request, 'readyz') || waiting.size >= WAITING) {
        refuse(request, response)
        return
      }
      const tooLong = setTimeout(() => {
        forget(response)
        refuse(request, response)
      }, patience)
      waiting.set(response, { request, tooLong })
      response.once('close', () => forget(response))
    },
    refuse() {
      for (const [response, { request }] of waiting) {
        forget(response)
        refuse(request, response)
      }
    }
  }
}
