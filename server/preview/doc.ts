// What the reference says about previews.

import type { Doc } from '../http/route-doc.ts'
import { previewAnswer, previewBody } from './schema.ts'

export const previewDoc: Doc = {
  answer: previewAnswer,
  body: previewBody,
  bodyOptional: true,
  description:
    'Renders the templates of a type as a send with this data would, and measures them. Nothing is written and nothing is sent. With `templates` it shows what is not saved yet. Time zone and language are those of `to`, else of the user with its id, else of the environment, else of the installation.',
  examples: [
    { body: { parameters: { author: 'Amara', text: 'Nice' } }, name: 'What is saved', status: 200 },
    {
      body: { templates: { sms: { message: 'Your code is {{ code }}' } } },
      name: 'What is not saved yet',
      status: 200
    },
    { body: { templates: { sms: { message: '{{ code' } } }, name: 'It does not parse', status: 422 },
    { name: 'There is no such type', params: { id: 'nothing' }, status: 404 }
  ],
  operationId: 'previewType',
  summary: 'Render a notification type with sample data',
  tag: 'types'
}
