// What each problem means and what to do about it, in three groups: mend the request, wait and repeat it, tell the operator.

import { html, type Html } from '../../core/html.ts'
import { TITLES, type ProblemSlug } from '../problem.ts'

type Remedy = 'mend' | 'repeat' | 'report'

/** Titles of the groups, in their order. */
const GROUPS: Readonly<Record<Remedy, string>> = {
  mend: 'Mend the request',
  repeat: 'Wait, and send the same request again',
  report: 'Tell the operator'
}

const REMEDIES: Readonly<Record<ProblemSlug, readonly [Remedy, string]>> = {
  'body-too-large': [
    'mend',
    'Send a smaller body, or raise NOTIF_BODY_MAX_BYTES or, for files in a send, NOTIF_INLINE_FILES_MAX_BYTES.'
  ],
  conflict: ['mend', 'Read the resource again. The detail says what prevents the change.'],
  forbidden: ['mend', 'Use credentials that may do this. The detail names the scope that an API key needs.'],
  'idempotency-key-reused': [
    'mend',
    'A key belongs to one method, address and body. Repeat the same request, or use a new key.'
  ],
  internal: ['report', 'Nothing was changed. Report the instance, which contains the request id of the log.'],
  'invalid-address': ['mend', 'Percent-encode the parts of the path as UTF-8. Ids have 1 to 255 characters.'],
  'invalid-json': ['mend', 'Send one JSON text in UTF-8, whatever the content type.'],
  'invalid-request': ['mend', 'Each entry of errors names a field of the body and says what is expected.'],
  'method-not-allowed': ['mend', 'The Allow header lists the methods.'],
  misdirected: ['report', 'Use a host name that belongs to the server. The detail says how to add one.'],
  'not-found': ['mend', 'Check the address and the ids in it.'],
  'precondition-failed': [
    'mend',
    'Read the resource again, apply your change to it, and send it with the new ETag in If-Match.'
  ],
  'rate-limited': ['repeat', 'Wait for the seconds in Retry-After.'],
  'storage-full': ['report', 'Nothing was stored. Free disk space of the database.'],
  unauthorized: [
    'mend',
    'Back ends: Basic clientId:clientSecret. Front ends: Basic clientId:userId:userHash, where userHash is base64(HMAC-SHA256(clientSecret, userId)). Operators: Bearer and the admin token.'
  ],
  unavailable: [
    'repeat',
    'Nothing was stored. Retry after the seconds in Retry-After, with the same Idempotency-Key.'
  ],
  'unsupported-encoding': ['mend', 'Send the body uncompressed.']
}

interface KnownProblem {
  readonly slug: ProblemSlug
  readonly status: number
  readonly title: string
  readonly remedy: Remedy
  readonly advice: string
}

const PROBLEMS = (Object.keys(TITLES) as ProblemSlug[]).map((slug): KnownProblem => {
  const [status, title] = TITLES[slug]
  const [remedy, advice] = REMEDIES[slug]
  return { advice, remedy, slug, status, title }
})

/** Problems with one of these statuses. */
export const problemsOf = (statuses: ReadonlySet<number>): readonly KnownProblem[] =>
  PROBLEMS.filter(({ status }) => statuses.has(status))

/** A status with a sign that does not depend on its colour. */
export const statusMark = (status: number | string): Html =>
  html`<span class="status" data-class="${`${status}`[0]}">${status}</span>`

const row = ({ advice, slug, status, title }: KnownProblem): Html =>
  html`<li id="${slug}" data-slug="${slug}" data-status="${status}">
    ${statusMark(status)}
    <div>
      <h4>
        <a href="#${slug}"><code>${slug}</code></a>
      </h4>
      <p>${title}</p>
      <p class="advice">${advice}</p>
    </div>
  </li>`

/** All problems in their groups. */
export const renderProblems = (): readonly Html[] =>
  (Object.keys(GROUPS) as Remedy[]).map(
    remedy =>
      html`<h3>${GROUPS[remedy]}</h3>
        <ul class="problems">
          ${PROBLEMS.filter(one => one.remedy === remedy).map(row)}
        </ul>`
  )
