// GET /problems, the page that the `type` of a problem links to: what each problem means and what to do about it.

import { TITLES, type ProblemSlug } from './problem.ts'
import { route, type Route } from './route.ts'

const ADVICE: Readonly<Record<ProblemSlug, string>> = {
  'body-too-large':
    'Send a smaller body, or raise NOTIF_BODY_MAX_BYTES or, for files in a send, NOTIF_INLINE_FILES_MAX_BYTES.',
  conflict: 'Read the resource again. The detail says what prevents the change.',
  forbidden: 'Use credentials of the right kind.',
  'idempotency-key-reused':
    'A key belongs to one method, address and body. Repeat the same request, or use a new key.',
  internal: 'Nothing was changed. Report the instance, which contains the request id of the log.',
  'invalid-address': 'Percent-encode the parts of the path as UTF-8. Ids have 1 to 255 characters.',
  'invalid-json': 'Send one JSON text in UTF-8, whatever the content type.',
  'invalid-request': 'Each entry of errors names a field of the body and says what is expected.',
  'method-not-allowed': 'The Allow header lists the methods.',
  misdirected: 'Use a host name that belongs to the server. The detail says how to add one.',
  'not-found': 'Check the address and the ids in it.',
  'precondition-failed':
    'Read the resource again, apply your change to it, and send it with the new ETag in If-Match.',
  'rate-limited': 'Wait for the seconds in Retry-After.',
  'storage-full': 'Nothing was stored. Free disk space of the database.',
  unauthorized:
    'Back ends: Basic clientId:clientSecret. Front ends: Basic clientId:userId:userHash, where userHash is base64(HMAC-SHA256(clientSecret, userId)). Operators: Bearer and the admin token.',
  unavailable: 'Nothing was stored. Retry after the seconds in Retry-After, with the same Idempotency-Key.',
  'unsupported-encoding': 'Send the body uncompressed.'
}

const SECTIONS = Object.entries(TITLES)
  .map(([slug, [status, title]]) => {
    const advice = ADVICE[slug as ProblemSlug]
    return `<section id="${slug}"><h2>${status} ${slug}</h2><p>${title}</p><p>${advice}</p></section>`
  })
  .join('\n')

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Problems</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  a { color: light-dark(#0b57d0, #8ab4f8) }
  body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
  h2 { font-size: 1.1rem; margin: 2rem 0 0 }
  p { margin: 0.25rem 0 }
  section:target h2 { text-decoration: underline }
</style>
<h1>Problems</h1>
<p><a href="docs">Reference</a></p>
<p>Every error has the format of RFC 9457: type, title, status, detail, instance and, for wrong fields, errors.</p>
${SECTIONS}
</html>
`

export const problemsRoutes = (): Route[] => [
  route('GET', '/problems', 'anyone', async () => ({
    body: PAGE,
    headers: { 'cache-control': 'public, max-age=3600', 'content-type': 'text/html; charset=utf-8' },
    status: 200
  }))
]
