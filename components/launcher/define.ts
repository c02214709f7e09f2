// Defines <notif-launcher>.

import { define } from '../internal/define.ts'
import { NotifLauncher } from './launcher.ts'

define('notif-launcher', NotifLauncher)
