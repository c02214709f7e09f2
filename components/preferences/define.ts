// Defines <notif-preferences>.

import { define } from '../core/dom.ts'
import { NotifPreferences } from './preferences.ts'

define('notif-preferences', NotifPreferences)
