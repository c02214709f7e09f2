// A file of a mail: what it is called and what it is, once names and types from outside have been made harmless.

/** As a send names it. */
export type Attachment =
  | { readonly filename: string; readonly url: string }
  /** `content`: base64. */
  | { readonly filename: string; readonly content: string; readonly contentType?: string }

const LONGEST = 255
/** Separators of folders, and what turns the direction of writing: `photo_gnp.exe` must not look like `photo_exe.png`. */
const SEPARATORS = /[/\\:]/g
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu

/** A name that is only a name: no folders, nothing invisible, no leading or trailing dots and spaces. */
export function cleanName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(SEPARATORS, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .slice(0, LONGEST)
    .toWellFormed()
  return clean === '' ? 'file' : clean
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
/** Says nothing; the name says more. */
const UNKNOWN = new Set(['application/octet-stream', 'binary/octet-stream', 'application/unknown'])
/** A mail reads these as parts of itself. */
const NESTED = /^(?:multipart|message)\//i

/**
 * @param given - by the caller, or by the server of the file
 * @returns undefined where the name should decide
 */
export function mediaTypeOf(name: string, given: string | null | undefined): string | undefined {
  const [type = '', ...parameters] = (given ?? '').split(';').map(part => part.trim())
  if (NESTED.test(type) || (type === '' && /\.(?:eml|mht|mhtml)$/i.test(name)))
    return 'application/octet-stream'
  if (!MEDIA_TYPE.test(type) || UNKNOWN.has(type.toLowerCase())) return undefined
  const charset = parameters.find(part => /^charset=[\w-]+$/i.test(part))
  return charset === undefined ? type : `${type}; ${charset}`
}
