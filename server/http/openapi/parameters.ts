// Path parameters with their descriptions, and the values that examples use by default.

import { EXAMPLE_ID } from '../route-doc.ts'

export interface Parameter {
  readonly description: string
  readonly example: string
}

/** By the name in route patterns. A parameter that is not listed is described by its name. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  actionId: { description: 'Id of the button.', example: 'approve' },
  broadcastId: { description: 'Id of the broadcast.', example: EXAMPLE_ID },
  channel: { description: 'Channel, such as `INAPP_WEB` or `inapp`.', example: 'INAPP_WEB' },
  clientId: { description: 'Client id of the environment.', example: 'client_1' },
  erasureId: { description: 'Id in the answer to an erasure.', example: EXAMPLE_ID },
  id: { description: 'Id of the notification type.', example: 'comment' },
  subId: { description: 'Id of the sub-notification.', example: 'project-1' },
  keyId: { description: 'Id of the API key, from their list.', example: EXAMPLE_ID },
  letterId: { description: 'Id of a dead letter, from their list or from the log.', example: EXAMPLE_ID },
  memberId: { description: 'Id of the member, from their list.', example: EXAMPLE_ID },
  partialId: { description: 'Name of the layout or partial.', example: 'brand' },
  sessionId: { description: 'Id of the session, from the list of sessions.', example: EXAMPLE_ID },
  queue: { description: 'Name of the queue.', example: 'EMAIL' },
  taskId: { description: 'Id of the task.', example: EXAMPLE_ID },
  templateId: { description: 'Id of the template.', example: 'short' },
  topicId: {
    description: 'Id of the topic, percent-encoded as UTF-8. It may contain slashes.',
    example: 'releases'
  },
  trackingId: { description: 'Tracking id in the answer to a send.', example: EXAMPLE_ID },
  version: { description: 'Number of a version, `latest` or `published`.', example: '1' },
  userId: { description: 'Id of the user in your system, percent-encoded as UTF-8.', example: 'u1' }
}

/** Returns the names of the parameters of a path pattern, in order. */
export const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
