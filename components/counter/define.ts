// Defines <notif-counter>.

import { define } from '../internal/define.ts'
import { NotifCounter } from './counter.ts'

define('notif-counter', NotifCounter)
