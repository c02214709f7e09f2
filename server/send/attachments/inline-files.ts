// Files that stand in a send as base64: they make a body large that is small without them.

import type { Send } from '../send-request.ts'

/**
 * Bytes of a body without the files in it, as JSON: whoever escapes base64 has more bytes than files.
 *
 * @param body - a send, bare, in a change as one client wraps it, or as it is simulated. Nothing is known about it yet
 */
export function besidesFiles(body: unknown): number {
  const { send, sendRequest } = Object(body) as Readonly<Record<string, unknown>>
  const files = new Set([body, send, sendRequest].flatMap(filesOf))
  const text = JSON.stringify(body, function (this: unknown, key, value: unknown) {
    return key === 'content' && typeof value === 'string' && files.has(this) ? '' : value
  })
  return Buffer.byteLength(text)
}

function filesOf(send: unknown): readonly unknown[] {
  const { attachments } = Object(Object(Object(send).options).email) as { readonly attachments?: unknown }
  return Array.isArray(attachments) ? attachments : []
}

/** For all but mails. */
export function withoutFiles(send: Send): Send {
  if (!send.options?.email?.attachments) return send
  const { attachments: _, ...email } = send.options.email
  return { ...send, options: { ...send.options, email } }
}
