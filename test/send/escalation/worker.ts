// A process that ends delays in the database of its first argument, until it is killed or its parent ends.

import { openQueues } from '../../../server/queue/open-queues.ts'
import { openSendModule } from '../../../server/send/send-module.ts'
import { RECORDS } from '../../queue/test-queue.ts'
import { openTestDb } from '../../support/db.ts'
import { testKit } from '../test-context.ts'
import { ALL } from './escalation-server.ts'

// If the parent is killed, its end of this pipe is closed.
process.stdin.on('end', () => process.exit()).resume()

const url = process.argv[2]!
const db = await openTestDb({ connections: 2, listenUrl: url, url })
const context = testKit(db)
const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: context.log, pollMs: 20 })
queues.add(openSendModule(context, ALL, { scheduleBytes: 2000 }).escalation)
queues.start()
process.stdout.write('ready\n')
