// Every path in Chromium.

import { test } from 'node:test'

import { PATHS } from './paths/list.ts'
import { chromium } from './puppeteer.ts'
import { openPaths } from './run.ts'

const { follow, options } = openPaths(chromium)
for (const path of PATHS) test(path.name, options, () => follow(path))
