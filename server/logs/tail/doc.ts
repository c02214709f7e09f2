// The API reference of the live tail of sends.

import { z } from 'zod'

import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { MAX_SHOWN } from './tail-reader.ts'
import { MAX_TAIL_MS } from './tail.ts'
import { TICKET_MS } from './ticket.ts'

export const ticketDoc: Doc = {
  answer: z.object({
    ticket: z.string(),
    expiresAt: instant.meta({ description: 'Until then a socket may show the ticket.' })
  }),
  description:
    `For a WebSocket to \`/ws?kit=1\` of this server that shows new sends of the environment as they are accepted. Its first frame is \`{"route":"sends/hello","payload":{"ticket":"…"}}\`, within ${TICKET_MS / 1000} seconds. The server answers \`{"route":"sends/open","payload":{"endsAt":"…"}}\`, and then, once a second while there are new sends, \`{"route":"sends/new","payload":{"sends":[{"trackingId","type","userId","receivedAt","decisions"}],"isCut":false}}\`: at most ${MAX_SHOWN}, the newest first; \`isCut\` says that there were more, or that the reader was too slow for some. Users of a broadcast who only got the in-app notification are not shown. ` +
    `A socket ends after ${MAX_TAIL_MS / 60_000} minutes (close code 1012): ask for another ticket. A ticket that is not valid ends it with 4401, too many sockets with 1013.`,
  examples: [{ name: 'A ticket', status: 200 }],
  impersonal: true,
  operationId: 'createTailTicket',
  reads: true,
  summary: 'Get a ticket for the live tail of sends',
  tag: 'logs'
}
