// Defines <notif-provider>.

import { define } from '../internal/define.ts'
import { NotifProvider } from './provider.ts'

define('notif-provider', NotifProvider)
