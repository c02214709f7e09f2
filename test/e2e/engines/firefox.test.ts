// Every path in Firefox.

import { test } from 'node:test'

import { PATHS } from './paths/list.ts'
import { firefox } from './puppeteer.ts'
import { openPaths } from './run.ts'

const { follow, options } = openPaths(firefox)
for (const path of PATHS) test(path.name, options, () => follow(path))
