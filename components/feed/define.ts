// Defines <notif-feed>.

import { define } from '../core/define.ts'
import { NotifFeed } from './feed.ts'

define('notif-feed', NotifFeed)
