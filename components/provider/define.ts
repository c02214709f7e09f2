// Defines <notif-provider>.

import { define } from '../core/dom.ts'
import { NotifProvider } from './provider.ts'

define('notif-provider', NotifProvider)
