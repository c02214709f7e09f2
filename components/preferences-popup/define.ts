// Defines <notif-preferences-popup>.

import { define } from '../internal/define.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

define('notif-preferences-popup', NotifPreferencesPopup)
