// Sends one HTTP request byte by byte: nothing is added to its headers, path or body.

import { request as open, type IncomingHttpHeaders } from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface Raw {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function request(base: string, { body, headers, method, path }: Raw): Promise<RawAnswer> {
  const { hostname, port } = new URL(base)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = open(
      { headers: { ...length, ...headers }, host: hostname, method, path, port },
      answer => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = /[/+]json\b/.test(answer.headers['content-type'] ?? '')
          const json = (isJson ? JSON.parse(text) : {}) as RawAnswer['json']
          resolve({ headers: answer.headers, json, status: answer.statusCode!, text })
        })
      }
    )
    request.on('error', reject)
    request.end(body)
  })
}
