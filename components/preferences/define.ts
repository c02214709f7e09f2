// Defines <notif-preferences>.

import { define } from '../internal/define.ts'
import { NotifPreferences } from './preferences.ts'

define('notif-preferences', NotifPreferences)
