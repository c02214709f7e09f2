// Writes a type as a file of NOTIF_TYPES_DIR, which parse-types-file.ts reads. Pure.

import { stringify } from 'yaml'

import { templateMapKey } from './type-body.ts'
import type { VersionContent } from './versions/version.ts'

export interface TypeFileText {
  /** Suggested name of the file. */
  readonly file: string
  /** YAML. */
  readonly text: string
}

export function toTypeFile(id: string, content: VersionContent): TypeFileText {
  const { channels, settings, templates, title } = content
  const { enabled, options, ...others } = settings
  const type = {
    id,
    title,
    ...(channels.length > 0 && { channels }),
    ...(!enabled && { enabled }),
    ...others,
    ...(Object.keys(options).length > 0 && { options }),
    templates: Object.fromEntries(templates.map(one => [templateMapKey(one.channel, one.id), one.content]))
  }
  // Without a limit, so that a line of a template stays a line of the file.
  const text = stringify(type, { aliasDuplicateObjects: false, blockQuote: 'literal', lineWidth: 0 })
  return { file: `${id.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'type'}.yaml`, text }
}
