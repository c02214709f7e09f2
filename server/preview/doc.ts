// The API reference of previews.

import { EXAMPLE_ID, type Doc } from '../http/route-doc.ts'
import { previewAnswer, previewBody } from './schema.ts'

export const previewDoc: Doc = {
  answer: previewAnswer,
  body: previewBody,
  bodyOptional: true,
  description:
    'Renders the templates of a type as a send with this data would, and measures the result. Nothing is written and nothing is sent. With `trackingId`, the data is that of a real send; with `locales: "all"`, every channel is shown in all its languages. To preview unsaved templates, pass `templates`. Time zone and language come from `to`, or else from the stored user, the environment or the installation.',
  examples: [
    { body: { parameters: { author: 'Amara', text: 'Nice' } }, name: 'Saved templates', status: 200 },
    { body: { locales: 'all', parameters: { author: 'Amara' } }, name: 'In all languages', status: 200 },
    { body: { trackingId: EXAMPLE_ID }, name: 'Data of a send that is not in the log', status: 422 },
    {
      body: { templates: { sms: { message: 'Your code is {{ code }}' } } },
      name: 'Unsaved template',
      status: 200
    },
    { body: { templates: { sms: { message: '{{ code' } } }, name: 'Syntax error', status: 422 },
    { name: 'Unknown type', params: { id: 'nothing' }, status: 404 }
  ],
  reads: true,
  operationId: 'previewType',
  summary: 'Render a notification type with sample data',
  tag: 'types'
}
