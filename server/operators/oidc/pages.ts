// The pages at the end of a sign-in with an OpenID provider. They load nothing and run no script.

import { html, type Html } from '../../core/html.ts'
import type { Answer } from '../../http/route.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

const page = (status: number, title: string, content: Html): Answer => ({
  body: `<!doctype html>\n${
    html`<html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>${title}</title>
      ${content}
    </html>`.text
  }\n`,
  headers: {
    'content-security-policy': POLICY,
    'content-type': 'text/html; charset=utf-8',
    // The address holds the code of the provider.
    'referrer-policy': 'no-referrer'
  },
  status
})

/**
 * Leads to the dashboard. A redirect would not do: it would belong to the navigation that the provider began, and browsers send the
 * cookie of the session only with navigations that begin on this site.
 */
export const continuePage = (path: string): Answer =>
  page(
    200,
    'Signed in',
    html`<meta http-equiv="refresh" content="0;url=${path}" />
      <p><a href="${path}">Continue to the dashboard</a></p>`
  )

/** @param signInPath - address of the page to sign in */
export const refusedPage = (status: number, detail: string, signInPath: string): Answer =>
  page(
    status,
    'Not signed in',
    html`<h1>Not signed in</h1>
      <p>${detail}</p>
      <p><a href="${signInPath}">Sign in again</a></p>`
  )
