// Defines <notif-provider>.

import { define } from '../core/define.ts'
import { NotifProvider } from './provider.ts'

define('notif-provider', NotifProvider)
