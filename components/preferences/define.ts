// Defines <notif-preferences>.

import { define } from '../core/define.ts'
import { NotifPreferences } from './preferences.ts'

define('notif-preferences', NotifPreferences)
