// Writes a request as a command of curl, which runs as it stands once the variables of the shell are set. samples.js writes it as
// programs in the browser, because four forms of each request would double the weight of the page.

import type { Entry, Parameter } from './reference-document.ts'

export interface Request {
  readonly method: string
  /** Path parameters are filled in, except the client id. */
  readonly path: string
  readonly credentials: 'admin' | 'backEnd' | 'none'
  readonly body?: unknown
}

const CLIENT_ID = '{clientId}'

const exampleOf = ({ example, schema }: Parameter): string =>
  encodeURIComponent(String(example ?? schema['default'] ?? (schema['type'] === 'string' ? 'value' : 0)))

/**
 * Returns the request of an operation. Required parameters of the query have their examples.
 *
 * @param body - undefined for a request without one
 */
export function toRequest({ method, parameters, path, security }: Entry, body?: unknown): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find(one => one.in === 'path' && one.name === name)
    return whole === CLIENT_ID || !parameter ? whole : exampleOf(parameter)
  })
  const query = parameters
    .filter(parameter => parameter.in === 'query' && parameter.required)
    .map(parameter => `${parameter.name}=${exampleOf(parameter)}`)
  const ways = new Set(security.flatMap(way => Object.keys(way)))
  return {
    credentials: ways.has('backEnd') ? 'backEnd' : ways.has('admin') ? 'admin' : 'none',
    method,
    path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    ...(body !== undefined && { body })
  }
}

/** A quote ends the text of the shell, so it stands outside of it. */
const quote = (text: string): string => text.replaceAll("'", String.raw`'\''`)

export interface Command {
  /** The command without its body. */
  readonly start: string
  /** JSON between quotes of the shell, after `start`; absent without a body. */
  readonly body?: string
}

export function toCurl({ body, credentials, method, path }: Request): Command {
  const options = [
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...(credentials === 'backEnd' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(credentials === 'admin' ? ['-H "Authorization: Bearer $ADMIN_TOKEN"'] : [])
  ]
  const lines = [`curl "$NOTIFY_URL${path.replaceAll(CLIENT_ID, '$CLIENT_ID')}"`, ...options]
  const start = lines.join(' \\\n  ')
  return body === undefined
    ? { start }
    : { body: quote(JSON.stringify(body, null, 2)), start: `${start} \\\n  -d '` }
}
