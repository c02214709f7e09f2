// Types as bodies of answers. A body of GET can be written back with PUT, or stand in a file.

import type { NotificationType, TypeHead } from './type.ts'

export const toListEntry = ({ id, title, channels, settings, managedBy, updatedAt, version }: TypeHead) => ({
  id,
  title,
  channels,
  ...settings,
  ...(version !== undefined && { version }),
  ...(managedBy && { managedBy }),
  updatedAt: updatedAt.toISOString()
})

/** Templates by their keys in a body: `EMAIL`, `EMAIL/short`, `EMAIL@de`. */
export const toTemplateMap = (templates: NotificationType['templates']) =>
  Object.fromEntries(
    [...templates].flatMap(([channel, byId]) =>
      [...byId].map(([id, content]) => [templateMapKey(channel, id), content] as const)
    )
  )

export const templateMapKey = (channel: string, id: string): string =>
  /^(?:@|$)/.test(id) ? channel + id : `${channel}/${id}`

export const toBody = (type: TypeHead & Pick<NotificationType, 'templates'>) => ({
  ...toListEntry(type),
  templates: toTemplateMap(type.templates)
})
