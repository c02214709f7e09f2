// Defines <notif-popup>.

import { define } from '../core/dom.ts'
import { NotifPopup } from './popup.ts'

define('notif-popup', NotifPopup)
