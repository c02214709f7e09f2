// Defines <notif-counter>.

import { define } from '../core/define.ts'
import { NotifCounter } from './counter.ts'

define('notif-counter', NotifCounter)
