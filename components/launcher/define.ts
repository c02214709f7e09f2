// Defines <notif-launcher>.

import { define } from '../core/define.ts'
import { NotifLauncher } from './launcher.ts'

define('notif-launcher', NotifLauncher)
