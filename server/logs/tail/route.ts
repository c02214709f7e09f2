// The route for back ends and members that begins a live tail of sends: POST /:clientId/logs/live.

import type { Clock } from '../../core/clock.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { ok, route, type Route } from '../../http/route.ts'
import { ticketDoc } from './doc.ts'
import { createTicket, TICKET_MS } from './ticket.ts'

export const tailRoutes = (clock: Clock, encryption: Encryption): Route[] => [
  route('POST', '/:clientId/logs/live', 'back-end', ticketDoc, async ({ env }) => {
    const now = clock()
    return ok({
      ticket: createTicket(encryption, env.id, now),
      expiresAt: new Date(now + TICKET_MS).toISOString()
    })
  })
]
