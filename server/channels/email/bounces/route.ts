// POST /callbacks/bounce: a mail that came back, as the mail server got it. The signed address in its head is all that is
// believed, and enough: whoever knows it has had the mail.

import { bucketOfId, placementHashInId, timeInId, uuidv7 } from '../../../core/id.ts'
import type { Encryption } from '../../../environments/encryption/encryption.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Context } from '../../../process/context.ts'
import { returnedIn } from './address.ts'
import { markOwners, recordReturn } from './bounces.sql.ts'
import { isAboutAddress } from './classify.ts'
import { readReports, type Report } from './report.ts'

const OUTCOMES = { delayed: 'delayed', delivered: 'delivered', failed: 'undelivered' } as const

/** Most recipients of one mail whose kind is heard. */
const RECIPIENTS = 100
const DAY = 86_400_000

/** Days after a send in which a report about it still marks the address, if the log has forgotten the send: mail servers give up within five. */
const MAX_LATE_DAYS = 14

/** Reports about copies of its email that are stored per send. Anyone who received the email could fill the disk otherwise. */
export const MAX_REPORTS = 300

/** Bytes of a bounce that are read; what it returns of the original email follows the report. */
const MAX_REPORT_BYTES = 1024 * 1024

/** Bytes of a head that are looked at: each address of ours in it costs a signature. */
const HEAD = 64 * 1024

/** The head of a mail, without the report, which repeats what others may have written. */
const headOf = (raw: Buffer): string => raw.toString('latin1', 0, HEAD).split(/\n\r?\n/, 1)[0] ?? ''

export const bounceRoutes = (
  { clock, db }: Pick<Context, 'clock' | 'db'>,
  encryption: Encryption
): Route[] => [
  {
    ...route('POST', '/callbacks/bounce', 'anyone', async ({ body }) => {
      const raw = body as Buffer
      const returned = returnedIn(encryption, headOf(raw))
      // Always 200: a mail server would try again for days what we do not want.
      if (!returned) return ignored('No address in its head is one of ours.')
      const reports = readReports(raw)
      if (!reports) return ignored('It is no delivery status report (RFC 3464).')
      const { isFor, sendId } = returned
      const bucket = bucketOfId(sendId)
      const isLate = timeInId(sendId) < clock() - MAX_LATE_DAYS * DAY
      const heard: string[] = []
      for (const report of reports.slice(0, RECIPIENTS)) {
        const own = report.recipients.find(isFor)
        const { detail, status: code } = report
        const recipient = own ?? report.recipients[0] ?? ''
        const outcome = OUTCOMES[report.action]
        const marks = own !== undefined && isLasting(report)
        const id = uuidv7(placementHashInId(sendId), clock())
        const fault = { code, detail }
        const returned = { bucket, fault, id, marks, outcome, own: own !== undefined, recipient, sendId }
        const news = await recordReturn(db.of(bucket), returned, MAX_REPORTS)
        const isHeard =
          news === 'forgotten'
            ? marks && !isLate && (await markOwners(db.of(bucket), returned))
            : news === 'new'
        if (isHeard) heard.push(outcome)
      }
      return { body: { heard }, status: 200 }
    }),
    // The report comes before the mail that it returns, which may be as large as a mail can be.
    head: MAX_REPORT_BYTES,
    raw: true
  }
]

const ignored = (why: string) => ({ body: { heard: [], ignored: why }, status: 200 })

/** Failures of the fourth class are over too, but say nothing about the next mail. */
const isLasting = (report: Report): boolean =>
  report.action === 'failed' && !report.status.startsWith('4.') && isAboutAddress(report)
