// Where the run finds things.

import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const BIN = join(ROOT, 'node_modules/.bin')
