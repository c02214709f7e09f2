// Attachments of emails: how a send names them, their sizes when encoded, and harmless names and media types.

import { z } from 'zod'

import { formerName } from '../../http/common-schemas.ts'
import { lineText } from '../../types/type-id.ts'

const MAX_LENGTH = 255

const fileName = () => lineText(MAX_LENGTH).min(1).optional()

const httpAddress = lineText(2048).refine(
  text => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
  'Expected an http or https address.'
)

export const attachmentSchema = z
  .object({
    filename: fileName().describe('Name of the file. Required.'),
    fileName: formerName(fileName(), 'filename'),
    url: httpAddress
      .optional()
      .describe('Address of the file, fetched right after the send is accepted. Required without `content`.'),
    content: z
      .string()
      .transform(text => text.replace(/\s+/g, ''))
      .pipe(z.base64('Expected base64.'))
      .optional()
      .describe('The file in base64.'),
    contentType: z
      .string()
      .max(MAX_LENGTH)
      .regex(
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?; ?[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*$/,
        'Expected a media type.'
      )
      .optional()
      .describe('Media type of `content`, such as `application/pdf`.')
  })
  .check(({ value, issues }) => {
    const addIssue = (key: string, message: string) =>
      issues.push({ code: 'custom', input: value, message, path: [key] })
    if (value.filename === undefined && value.fileName === undefined) {
      addIssue('filename', 'This field is required.')
    }
    if (value.url === undefined && value.content === undefined) addIssue('url', 'Expected url or content.')
    if (value.url !== undefined && value.content !== undefined) {
      addIssue('content', 'Expected either url or content, not both.')
    }
  })
  .transform(({ filename, fileName, url, content, contentType }): Attachment => {
    const name = filename ?? fileName!
    if (url !== undefined) return { filename: name, url }
    return { content: content!, filename: name, ...(contentType !== undefined && { contentType }) }
  })

export type Attachment =
  | { readonly filename: string; readonly url: string }
  /** `content`: base64. */
  | { readonly filename: string; readonly content: string; readonly contentType?: string }

/**
 * Size of base64 text in an email: lines of 76 characters, each with a line break (RFC 2045, section 6.8).
 *
 * @param characters - length of the base64 text
 */
export const base64LineBytes = (characters: number): number => characters + 2 * Math.ceil(characters / 76)

/** Bytes that the files of a send have in an email. Files with an address count when they are fetched. */
export const inlineFileBytes = (files: readonly Attachment[] = []): number =>
  files.reduce((sum, file) => sum + ('content' in file ? base64LineBytes(file.content.length) : 0), 0)

/** Size of a file in an email. @param bytes - before the encoding */
export const encodedBytes = (bytes: number): number => base64LineBytes(4 * Math.ceil(bytes / 3))

/** The largest file that fits into so many bytes of an email: each line of 78 bytes holds 57. */
export const decodedBytes = (encoded: number): number => Math.max(0, Math.floor(encoded / 78) * 57)

/**
 * Size of a body as JSON without the base64 of its attachments, for the limit of bodies.
 *
 * @param body - unchecked; a send, a change that wraps one in `sendRequest`, or a simulation with one in `send`
 */
export function bytesWithoutFiles(body: unknown): number {
  const { send, sendRequest } = Object(body) as Readonly<Record<string, unknown>>
  const files = new Set([body, send, sendRequest].flatMap(uncheckedAttachments))
  const text = JSON.stringify(body, function (this: unknown, key, value: unknown) {
    return key === 'content' && typeof value === 'string' && files.has(this) ? '' : value
  })
  return Buffer.byteLength(text)
}

function uncheckedAttachments(send: unknown): readonly unknown[] {
  const { attachments } = Object(Object(Object(send).options).email) as { readonly attachments?: unknown }
  return Array.isArray(attachments) ? attachments : []
}

const SEPARATORS = /[/\\:]/g
/** Includes characters that turn the writing direction: `photo_gnp.exe` must not look like `photo_exe.png`. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

/** @returns the name without folders, invisible characters, and leading or trailing dots and spaces */
export function cleanName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(SEPARATORS, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
  return clean === '' ? 'file' : clean
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
/** Types that say less than the extension of the name. */
const GENERIC_TYPES = new Set(['application/octet-stream', 'binary/octet-stream', 'application/unknown'])
/** Mail programs read these types as parts of the email itself. */
const NESTED_TYPES = /^(?:multipart|message)\//i

/**
 * @param mediaType - from the send, or from the server of the file
 * @returns undefined if the name should decide
 */
export function cleanMediaType(name: string, mediaType: string | null | undefined): string | undefined {
  const [type = '', ...parameters] = (mediaType ?? '').split(';').map(part => part.trim())
  if (NESTED_TYPES.test(type) || (type === '' && /\.(?:eml|mht|mhtml)$/i.test(name))) {
    return 'application/octet-stream'
  }
  if (!MEDIA_TYPE.test(type) || GENERIC_TYPES.has(type.toLowerCase())) return undefined
  const charset = parameters.find(part => /^charset=[\w-]+$/i.test(part))
  return charset === undefined ? type : `${type}; ${charset}`
}
