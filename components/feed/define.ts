// Defines <notif-feed>.

import { define } from '../core/dom.ts'
import { NotifFeed } from './feed.ts'

define('notif-feed', NotifFeed)
