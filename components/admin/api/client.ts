// The client of the REST routes: signs requests in, reads answers and problems as values, and ends requests by a signal.

import { connectionProblem, readProblem, type Problem } from './problem.ts'

export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly etag: string | undefined }
  | { readonly ok: false; readonly problem: Problem }

/** Values of a query string; undefined and empty ones are left out, a list is repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface RequestOptions {
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

type Call = <T>(path: string, options?: RequestOptions) => Promise<Answer<T>>

/** Methods of one base address: that of an environment, or of the operators' routes. */
export interface Api {
  /** Address that paths are appended to, without a slash at its end. */
  readonly base: string
  readonly get: Call
  readonly post: Call
  readonly put: Call
  readonly patch: Call
  readonly delete: Call
  /** Saves what a route answers as a file: the browser streams it, unless a key has to be sent. */
  readonly save: (path: string, file: string, query?: Query) => Promise<Answer<undefined>>
}

export interface Credentials {
  /** Returns a Bearer token; without it the session cookie is sent. */
  readonly auth?: (() => string | Promise<string>) | undefined
  /** Of the session; every method but GET and HEAD needs it with the cookie. */
  readonly csrfToken?: () => string | undefined
  /** Called when the server refuses the session. */
  readonly onSignedOut?: () => void
}

/** `/logs/a%20b`: encodes the values of a path. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent))

function toSearch(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== '') search.append(name, `${one}`)
  }
  return search.size > 0 ? `?${search}` : ''
}

async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  if (!response.ok) return { ok: false, problem: await readProblem(response) }
  const text = await response.text()
  const value = (text === '' ? undefined : JSON.parse(text)) as T
  return { etag: response.headers.get('etag') ?? undefined, ok: true, value }
}

function saveFile(href: string, file: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = file
  link.click()
}

/** Saves a text that is there already. */
export function saveText(text: string, type: string, file: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }))
  saveFile(href, file)
  URL.revokeObjectURL(href)
}

export function createApi(base: string, credentials: Credentials = {}): Api {
  const { auth, csrfToken, onSignedOut } = credentials
  async function send<T>(method: string, path: string, options: RequestOptions): Promise<Answer<T>> {
    const { body, query, signal } = options
    const headers = new Headers(options.headers)
    if (body !== undefined) headers.set('content-type', 'application/json')
    try {
      if (auth) headers.set('authorization', `Bearer ${await auth()}`)
      const token = auth ? undefined : csrfToken?.()
      if (token !== undefined && method !== 'GET') headers.set('x-csrf-token', token)
      const answer = await readAnswer<T>(
        await fetch(base + path + toSearch(query), {
          body: body === undefined ? null : JSON.stringify(body),
          credentials: auth ? 'omit' : 'same-origin',
          headers,
          method,
          signal: signal ?? null
        })
      )
      if (!answer.ok && answer.problem.status === 401) onSignedOut?.()
      return answer
    } catch (error) {
      return { ok: false, problem: connectionProblem(error) }
    }
  }
  async function save(path: string, file: string, query?: Query): Promise<Answer<undefined>> {
    const url = base + path + toSearch(query)
    if (!auth) {
      saveFile(url, file)
      return { etag: undefined, ok: true, value: undefined }
    }
    try {
      const headers = { authorization: `Bearer ${await auth()}` }
      const response = await fetch(url, { credentials: 'omit', headers })
      if (!response.ok) return { ok: false, problem: await readProblem(response) }
      saveText(await response.text(), response.headers.get('content-type') ?? '', file)
      return { etag: undefined, ok: true, value: undefined }
    } catch (error) {
      return { ok: false, problem: connectionProblem(error) }
    }
  }
  const call =
    (method: string): Call =>
    (path, options = {}) =>
      send(method, path, options)
  return {
    base,
    delete: call('DELETE'),
    get: call('GET'),
    patch: call('PATCH'),
    post: call('POST'),
    put: call('PUT'),
    save
  }
}
