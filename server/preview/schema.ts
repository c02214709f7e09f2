// The body of a preview: sample data as a send would bring it, and templates that are not saved yet.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { sendBody } from '../send/schema.ts'
import { typeBody } from '../types/schema.ts'

const { forceChannels, options, parameters, replace, templateId, to } = sendBody.shape

/** Absent: every channel with a template, no merge tags, and a sample user. */
export const previewBody = z.strictObject({
  /** Channels to render. */
  channels: forceChannels,
  options,
  parameters,
  replace,
  /** Instead of those of the type, which need not exist then; keys and fields as in a PUT of the type. */
  templates: typeBody.shape.templates,
  templateId,
  to
})

export type PreviewBody = z.output<typeof previewBody>

const count = z.int().min(0)

export const previewAnswer = z.object({
  previews: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      template: z.string().meta({ description: 'Id of the template; empty: the default one.' }),
      fields: z
        .record(z.string(), z.string())
        .meta({ description: 'As they go out: of a mail the whole document and its text part.' }),
      bytes: z.record(z.string(), count).meta({
        description:
          'EMAIL: html, text, mail (encoded). PUSH: apn, fcm. WEB_PUSH: payload. Others: each field by its name.'
      }),
      segments: z
        .object({ count, encoding: z.enum(['GSM-7', 'UCS-2']) })
        .optional()
        .meta({ description: 'Of an SMS.' }),
      missing: z.array(z.string()).meta({ description: 'Variables of the template without a value.' }),
      warnings: z.array(z.string()),
      problem: z
        .object({ detail: z.string(), field: z.string().optional() })
        .optional()
        .meta({ description: 'Why nothing would go out.' })
    })
  ),
  messages: z.array(z.string())
})

export type PreviewAnswer = z.output<typeof previewAnswer>
export type Preview = PreviewAnswer['previews'][number]
