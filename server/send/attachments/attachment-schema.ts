// A file of a mail, as a send names it.

import { z } from 'zod'

import { line } from '../../types/type-id.ts'

/** UTF-16 units of a name or a media type. */
const LONGEST = 255

const name = () => line(LONGEST)

const httpAddress = line(2048).refine(
  text => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
  'Expected an http or https address.'
)

/** By its address, or with its content. */
export const attachment = z
  .object({
    filename: name().min(1).optional().describe('What it is called. Required.'),
    fileName: name().min(1).optional().describe('The same as `filename`.'),
    url: httpAddress.optional().describe('Where it is fetched, right after the accept; or `content`.'),
    content: z
      .string()
      .transform(text => text.replace(/\s+/g, ''))
      .pipe(z.base64('Expected base64.'))
      .optional()
      .describe('The file in base64.'),
    contentType: z
      .string()
      .max(LONGEST)
      .regex(
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?; ?[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*$/,
        'Expected a media type.'
      )
      .optional()
      .describe('Media type of `content`, such as `application/pdf`.')
  })
  .check(({ value, issues }) => {
    const wrong = (key: string, message: string) =>
      issues.push({ code: 'custom', input: value, message, path: [key] })
    if (value.filename === undefined && value.fileName === undefined)
      wrong('filename', 'This field is required.')
    if (value.url === undefined && value.content === undefined) wrong('url', 'Expected url or content.')
    if (value.url !== undefined && value.content !== undefined) {
      wrong('content', 'Expected either url or content, not both.')
    }
  })
  .transform(({ filename, fileName, url, content, contentType }) => {
    const name = filename ?? fileName!
    if (url !== undefined) return { filename: name, url }
    return { content: content!, filename: name, ...(contentType !== undefined && { contentType }) }
  })
