// The schemas of a preview: sample data as in a send, and templates that are not saved yet.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { locale } from '../core/locale.ts'
import { sendBody } from '../send/schema.ts'
import { typeBody } from '../types/schema.ts'
import { identity } from '../users/schema.ts'

const { forceChannels, options, parameters, replace, templateId } = sendBody.shape
const { email, number } = identity.shape
const to = sendBody.shape.to
  .unwrap()
  .extend({ email, number })
  .optional()
  .describe('The user. Default: a sample user.')

const MAX_LOCALES = 50

/** Defaults: every channel with a template, no parameters, and a sample user. */
export const previewBody = z.strictObject({
  channels: forceChannels,
  locales: z
    .union([z.literal('all'), z.array(locale).min(1).max(MAX_LOCALES)])
    .optional()
    .describe(
      'Languages to preview each channel in; `all`: every language of its templates. Default: that of the user.'
    ),
  options,
  parameters,
  replace,
  /** Used instead of the stored templates; the type does not have to exist then. Keys and fields as in a PUT of the type. */
  templates: typeBody.shape.templates,
  templateId,
  to,
  trackingId: z
    .uuid()
    .transform(id => id.toLowerCase())
    .optional()
    .describe(
      'A send of the log, whose parameters, replacements, options, template id and user are the defaults.'
    )
})

export type PreviewBody = z.output<typeof previewBody>

const count = z.int().min(0)

export const previewAnswer = z.object({
  previews: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      template: z
        .string()
        .meta({ description: 'Id of the template; an empty text is the default template.' }),
      locale: z
        .string()
        .optional()
        .meta({ description: 'Language of the preview. Absent: the template without a language.' }),
      fields: z
        .record(z.string(), z.string())
        .meta({ description: 'Rendered fields. For an email: the whole HTML document and its text part.' }),
      bytes: z.record(z.string(), count).meta({
        description:
          'Sizes in bytes. EMAIL: html, text, mail (encoded). PUSH: apn, fcm. WEB_PUSH: payload. Other channels: each field by its name.'
      }),
      segments: z
        .object({ count, encoding: z.enum(['GSM-7', 'UCS-2']) })
        .optional()
        .meta({ description: 'Segments of an SMS.' }),
      missing: z.array(z.string()).meta({ description: 'Variables of the template that have no value.' }),
      warnings: z.array(z.string()),
      problem: z
        .object({
          detail: z.string(),
          field: z.string().optional(),
          line: z.int().optional(),
          column: z.int().optional()
        })
        .optional()
        .meta({ description: 'Reason why the channel would not be delivered.' })
    })
  ),
  messages: z.array(z.string())
})

export type PreviewAnswer = z.output<typeof previewAnswer>
export type Preview = PreviewAnswer['previews'][number]
