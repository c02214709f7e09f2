// Parts of paths, with the value that examples use where they name none.

export interface Parameter {
  readonly description: string
  readonly example: string
}

/** By name, as it stands in the patterns of routes; what is not here is described by its name alone. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  channel: { description: 'A channel, as `INAPP_WEB` or `inapp`.', example: 'INAPP_WEB' },
  clientId: { description: 'Client id of the environment.', example: 'client_1' },
  erasureId: {
    description: 'The id that the answer to an erasure gave.',
    example: '01937f6e-0000-7000-8000-000000000000'
  },
  id: { description: 'Id of the notification type.', example: 'comment' },
  subId: { description: 'Id of the sub-notification.', example: 'project-1' },
  letterId: {
    description: 'Id of a dead letter, as the list of them or the log has it.',
    example: '01937f6e-0000-7000-8000-000000000000'
  },
  pieceId: { description: 'Name of the layout or partial.', example: 'brand' },
  templateId: { description: 'Id of the template.', example: 'short' },
  trackingId: {
    description: 'The tracking id that the answer to a send gave.',
    example: '01937f6e-0000-7000-8000-000000000000'
  },
  userId: {
    description: 'Your id of the user, percent-encoded as UTF-8.',
    example: 'u1'
  }
}

/** Names of the parts, in order. */
export const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
