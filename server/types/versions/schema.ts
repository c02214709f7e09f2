// Schemas of the routes of versions.

import { z } from 'zod'

import { cursorSchema } from '../../http/cursor.ts'
import { checkConditions } from '../escalation.ts'
import { typeFields } from '../schema.ts'
import { lineText } from '../type-id.ts'
import type { VersionName } from './version.ts'

const MAX_PAGE_SIZE = 200
/** In UTF-16 code units. */
const MAX_NOTE_LENGTH = 500

/** A type as a draft saves it. */
export const draftBody = typeFields
  .extend({
    note: lineText(MAX_NOTE_LENGTH)
      .min(1)
      .optional()
      .describe('What this version changes, for the list of versions.')
  })
  .check(checkConditions)

const MAX_NUMBER = 2_147_483_647

const toNumber = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= MAX_NUMBER ? Number(text) : undefined

export function parseVersionName(text: string): VersionName | undefined {
  return text === 'latest' || text === 'published' ? text : toNumber(text)
}

const versionName = z.string().transform((text, context): VersionName => {
  const name = parseVersionName(text)
  if (name !== undefined) return name
  context.addIssue({ code: 'custom', message: 'Expected a number, `latest` or `published`.' })
  return z.NEVER
})

export const versionsQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50),
  cursor: cursorSchema(toNumber).optional()
})

export const diffQuery = z.object({
  from: versionName.default('published').describe('Number, `latest` or `published`. Default: `published`.'),
  to: versionName.default('latest').describe('Number, `latest` or `published`. Default: `latest`.')
})

export const exportQuery = z.object({
  version: versionName.default('published').describe('Number, `latest` or `published`. Default: `published`.')
})

export const publishBody = z.strictObject({
  version: z
    .int()
    .min(1)
    .max(MAX_NUMBER)
    .describe('Number of the version. An older one than the published one rolls back.')
})
