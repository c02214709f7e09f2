// POST /callbacks/bounce: a bounce, as the mail server received it.
//
// The signed address in its headers is the only authentication: only a recipient of the email can know it.

import { bucketOfId, placementHashInId, timeInId, uuidv7 } from '../../../core/id.ts'
import type { Encryption } from '../../../environments/encryption/encryption.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Context } from '../../../process/context.ts'
import { findReturnPath } from './address.ts'
import { markUsersWithAddress, recordBounce } from './bounces.sql.ts'
import { isAboutAddress } from './classify.ts'
import { readReports, type Report } from './report.ts'

const OUTCOMES = { delayed: 'delayed', delivered: 'delivered', failed: 'undelivered' } as const

/** Recipients of one bounce that are handled. */
const MAX_RECIPIENTS = 100
const DAY_MS = 86_400_000

/** Days after a send in which a report about it still marks the address, if the log has deleted the send. Mail servers give up within five. */
const MAX_LATE_DAYS = 14

/** Reports about copies of its email that are stored per send. Anyone who received the email could fill the disk otherwise. */
export const MAX_REPORTS = 300

/** Bytes of a bounce that are read; what it returns of the original email follows the report. */
const MAX_BOUNCE_BYTES = 1024 * 1024

/** Each candidate address in the headers costs the verification of a signature. */
const MAX_HEAD_BYTES = 64 * 1024

/** Returns the headers only, because the report may repeat text from outside. */
const readHead = (raw: Buffer): string =>
  raw.toString('latin1', 0, MAX_HEAD_BYTES).split(/\n\r?\n/, 1)[0] ?? ''

export const bounceRoutes = (
  { clock, db }: Pick<Context, 'clock' | 'db'>,
  encryption: Encryption
): Route[] => [
  {
    ...route('POST', '/callbacks/bounce', 'anyone', async ({ body }) => {
      const raw = body as Buffer
      const returnPath = findReturnPath(encryption, readHead(raw))
      // Always 200, because a mail server would repeat a rejected bounce for days.
      if (!returnPath) return ignore('Its headers contain no return path of this server.')
      const reports = readReports(raw)
      if (!reports) return ignore('It is no delivery status report (RFC 3464).')
      const { isFor, sendId } = returnPath
      const bucket = bucketOfId(sendId)
      const isLate = timeInId(sendId) < clock() - MAX_LATE_DAYS * DAY_MS
      const heard: string[] = []
      for (const report of reports.slice(0, MAX_RECIPIENTS)) {
        const own = report.recipients.find(isFor)
        const { detail, status: code } = report
        const outcome = OUTCOMES[report.action]
        const marksUser = own !== undefined && isPermanent(report)
        const bounce = {
          bucket,
          fault: { code, detail },
          id: uuidv7(placementHashInId(sendId), clock()),
          isOwn: own !== undefined,
          marksUser,
          outcome,
          recipient: own ?? report.recipients[0] ?? '',
          sendId
        }
        const state = await recordBounce(db.of(bucket), bounce, MAX_REPORTS)
        const isRecorded =
          state === 'no-send'
            ? marksUser && !isLate && (await markUsersWithAddress(db.of(bucket), bounce))
            : state === 'new'
        if (isRecorded) heard.push(outcome)
      }
      return { body: { heard }, status: 200 }
    }),
    // The report precedes the returned email, which may have any size.
    head: MAX_BOUNCE_BYTES,
    raw: true
  }
]

const ignore = (reason: string) => ({ body: { heard: [], ignored: reason }, status: 200 })

/** A failure of class 4 ends the delivery too, but says nothing about the next email. */
const isPermanent = (report: Report): boolean =>
  report.action === 'failed' && !report.status.startsWith('4.') && isAboutAddress(report)
