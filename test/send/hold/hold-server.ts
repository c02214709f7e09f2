// A server whose users pause messages, with its queue of held rows and a clock that the test moves.

import type { DatabaseGroup } from '../../../server/db/db.ts'
import { openQueues, type OpenQueues } from '../../../server/queue/open-queues.ts'
import { openSendModule } from '../../../server/send/send-module.ts'
import { applySettingsPatch, parseSettingsPatch } from '../../../server/users/preferences/settings-patch.ts'
import { changeSettings } from '../../../server/users/preferences/settings.sql.ts'
import { transact, userKey } from '../../inbox/test-items.ts'
import { RECORDS } from '../../queue/test-queue.ts'
import { ALL, escalations, type Escalations } from '../escalation/escalation-server.ts'

export interface Holds extends Escalations {
  patch(body: object, user?: string): Promise<void>
  /** Opens the queues of held rows, schedules and digests. @param heldRows - of one transaction */
  openHeld(heldRows?: number): OpenQueues
  /** Runs these queues until nothing is due. */
  run(heldRows?: number): Promise<void>
  /** Makes all rows of a queue due. */
  makeDue(queue: string): Promise<void>
  group: DatabaseGroup
}

export async function holds(): Promise<Holds> {
  const e = await escalations()
  const { context, db } = e
  const openHeld = (heldRows?: number): OpenQueues => {
    const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: context.log, pollMs: 20 })
    const sender = openSendModule(context, ALL, heldRows === undefined ? {} : { heldRows })
    queues.add(sender.held, sender.schedule, sender.digest)
    queues.start()
    return queues
  }
  return {
    ...e,
    group: db.groups[0]!,
    makeDue: async queue => {
      await db.control`update outbox set run_at = now() where queue = ${queue}`
    },
    openHeld,
    async patch(body, user = 'u1') {
      const patch = parseSettingsPatch(body, context.clock())
      await transact(db, user, tx =>
        changeSettings(tx, userKey(user), before => applySettingsPatch(before, patch))
      )
    },
    async run(heldRows) {
      const queues = openHeld(heldRows)
      for (const queue of ['SCHEDULE', 'DIGEST', 'HELD'] as const) await queues.idle(queue)
      await queues.stop(1000)
    }
  }
}
