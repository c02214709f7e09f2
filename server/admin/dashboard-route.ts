// GET /admin and everything below: the page of the dashboard. It holds no data, so anyone may have it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../config/config.ts'
import { escapeHtml } from '../core/escape-html.ts'
import { pathPrefix } from '../http/path-prefix.ts'
import { route, type Answer, type Route } from '../http/route.ts'

/** Nothing inline and no other origins; pictures of notifications may come from anywhere by TLS. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; " +
  "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"

/** Stands in the built page for the path prefix of this server. */
const BASE = '%BASE%'

/** What is shown until the build has a page of its own. */
const EMPTY_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>notif-kit</title>
<link rel="icon" href="${BASE}/img/mark.svg">
<script type="module" src="${BASE}/notif-admin.js"></script>
<body><notif-admin></notif-admin>
`

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** @param dist - folder of the built files; the page is `admin/index.html` in it */
export function dashboardRoutes({ publicUrl }: Pick<Config, 'publicUrl'>, dist: string): Route[] {
  const show = async (): Promise<Answer> => {
    const page = await readFile(join(dist, 'admin/index.html'), 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return EMPTY_PAGE
      throw error
    })
    return {
      body: page.replaceAll(BASE, escapeHtml(pathPrefix(publicUrl))),
      headers: {
        'cache-control': 'no-cache',
        'content-security-policy': POLICY,
        'content-type': 'text/html; charset=utf-8'
      },
      status: 200
    }
  }
  return [route('GET', '/admin', 'anyone', show), route('GET', '/admin/*page', 'anyone', show)]
}
