// Defines <notif-popup>.

import { define } from '../internal/define.ts'
import { NotifPopup } from './popup.ts'

define('notif-popup', NotifPopup)
