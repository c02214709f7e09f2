// Defines <notif-feed>.

import { define } from '../internal/define.ts'
import { NotifFeed } from './feed.ts'

define('notif-feed', NotifFeed)
