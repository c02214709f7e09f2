// Defines <notif-preferences-popup>.

import { define } from '../core/dom.ts'
import { NotifPreferencesPopup } from './preferences-popup.ts'

define('notif-preferences-popup', NotifPreferencesPopup)
