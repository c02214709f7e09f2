// A process that composes the digests of the database at its first argument, until it is killed or its parent has ended.

import { openDb } from '../../../server/db/db.ts'
import { openLanes } from '../../../server/queue/open-queues.ts'
import { openSender } from '../../../server/send/send-module.ts'
import { testKit } from '../test-context.ts'
import { ALL } from './digest-server.ts'

// A parent that is killed can end nobody, but its end of this pipe is closed.
process.stdin.on('end', () => process.exit()).resume()

const url = process.argv[2]!
const db = openDb({ connections: 2, listenUrl: url, url })
const kit = testKit(db, { NOTIF_DIGEST_ITEMS: '5' })
const lanes = openLanes(db, { clock: Date.now, log: kit.log, poll: 20 })
lanes.add(openSender(kit, ALL).digest)
lanes.start()
process.stdout.write('ready\n')
