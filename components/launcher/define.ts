// Defines <notif-launcher>.

import { define } from '../core/dom.ts'
import { NotifLauncher } from './launcher.ts'

define('notif-launcher', NotifLauncher)
