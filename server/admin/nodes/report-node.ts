// Reports this process every few seconds, so that any process can say what all of them know: paused queues, sockets, probes.

import { randomUUID } from 'node:crypto'

import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { VERSION } from '../../process/version.ts'
import { deleteNode, writeNode, type NodeState } from './nodes.sql.ts'

/** How late a paused queue is known elsewhere. */
const REPORT_INTERVAL_MS = 3000

export interface NodeReport {
  /** Removes the row of this process. */
  stop(): Promise<void>
}

export interface NodeReportOptions {
  readonly config: Pick<Config, 'role'>
  readonly db: Db
  readonly log: Log
  readonly readState: () => NodeState
  /** Default: 3,000. */
  readonly intervalMs?: number
}

export function startNodeReport({
  config,
  db,
  intervalMs = REPORT_INTERVAL_MS,
  log,
  readState
}: NodeReportOptions): NodeReport {
  const node = { id: randomUUID(), role: config.role, startedAt: new Date(), version: VERSION }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let hasFailed = false
  const report = async (): Promise<void> => {
    try {
      await writeNode(db.control, { ...node, state: readState() })
      hasFailed = false
    } catch (err) {
      if (!hasFailed && !isStopped)
        log.warn(
          { err, event: 'node_report_failed' },
          'could not report this process; it reports again in seconds'
        )
      hasFailed = true
    }
    if (!isStopped) timer = setTimeout(run, intervalMs).unref()
  }
  let running: Promise<void>
  const run = (): void => {
    running = report()
  }
  run()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      // A row that stays is ignored after seconds.
      await deleteNode(db.control, node.id).catch(() => {})
    }
  }
}
