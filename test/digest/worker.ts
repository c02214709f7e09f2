// A process that composes the digests of the database at its first argument, until it is killed.

import { openDb } from '../../server/db/sql.ts'
import { openLanes } from '../../server/queue/open.ts'
import { openSender } from '../../server/sender.ts'
import { testKit } from '../send/kit.ts'
import { ALL } from './desk.ts'

const url = process.argv[2]!
const db = openDb({ connections: 2, listenUrl: url, url })
const kit = testKit(db, { NOTIF_DIGEST_ITEMS: '5' })
const lanes = openLanes(db, { clock: Date.now, log: kit.log, poll: 20 })
lanes.add(openSender(kit, ALL).digest)
lanes.start()
process.stdout.write('ready\n')
