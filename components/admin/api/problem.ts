// Problems of the server (RFC 9457) as values, and the problem of a request that got no answer.

import type { FieldProblem } from '../../../server/client/problem.ts'

export type FieldError = Omit<FieldProblem, 'pointer'> & Partial<Pick<FieldProblem, 'pointer'>>

export interface Problem {
  /** 0: no answer came. */
  readonly status: number
  /** End of the type's address, such as `not-found`. */
  readonly slug: string
  readonly title: string
  readonly detail: string
  /** Id of the request, to find it in the server's log. */
  readonly instance?: string | undefined
  readonly errors?: readonly FieldError[] | undefined
  /** The request was ended by its signal: nothing to show. */
  readonly isAborted?: boolean
}

interface ProblemBody {
  readonly type?: string
  readonly title?: string
  readonly detail?: string
  readonly instance?: string
  readonly errors?: Problem['errors']
}

export async function readProblem(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as ProblemBody
  return {
    detail: body.detail ?? '',
    errors: body.errors,
    instance: body.instance,
    slug: body.type?.split(/[/#]/).at(-1) ?? '',
    status: response.status,
    title: body.title ?? `HTTP ${response.status}`
  }
}

export const connectionProblem = (error: unknown): Problem => ({
  detail: '',
  isAborted: error instanceof DOMException && error.name === 'AbortError',
  slug: 'no-answer',
  status: 0,
  title: 'No answer'
})
