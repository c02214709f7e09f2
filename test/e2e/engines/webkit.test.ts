// Every path in WebKit.

import { test } from 'node:test'

import { PATHS } from './paths/list.ts'
import { openPaths } from './run.ts'
import { webkit } from './webkit.ts'

const { follow, options } = openPaths(webkit)
for (const path of PATHS) test(path.name, options, () => follow(path))
