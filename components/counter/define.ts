// Defines <notif-counter>.

import { define } from '../core/dom.ts'
import { NotifCounter } from './counter.ts'

define('notif-counter', NotifCounter)
