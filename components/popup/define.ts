// Defines <notif-popup>.

import { define } from '../core/define.ts'
import { NotifPopup } from './popup.ts'

define('notif-popup', NotifPopup)
