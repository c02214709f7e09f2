// Defines <notif-toast>.

import { define } from '../core/dom.ts'
import { NotifToast } from './toast.ts'

define('notif-toast', NotifToast)
