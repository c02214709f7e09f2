// The sandbox over HTTP: messages as JSON for back-ends and tests, and a page for people.

import { readFile } from 'node:fs/promises'

import { bucketOfId, isTrackingId, timeInId } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import { isAdmin } from '../../http/auth.ts'
import { HOST_REFUSED_DETAIL, type HostCheck } from '../../http/host-check.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Answer, type CallOf, type Route } from '../../http/route.ts'
import { walkHtml } from '../../types/templates/html/walk.ts'
import { messagesDoc } from './doc.ts'
import { sandboxPage } from './page.ts'
import { readMessage, readMessages, type SandboxMessage } from './sandbox.sql.ts'
import { listQuery, PAGE, pageQuery, partQuery } from './schema.ts'

export interface SandboxOptions {
  readonly db: Db
  /** The page shows messages of this environment unless its address names another. */
  readonly clientId: string
  /** Everyone may look at the page who finds it under one of these names. Undefined: the admin token is asked for. */
  readonly open: HostCheck | undefined
  readonly adminTokenHash: Buffer | undefined
  /** Default: 8 MB. */
  readonly pageBytes?: number
}

/** Bytes of messages after which a page ends, though one always comes: an email may have millions, and pages are built in memory. */
const MAX_PAGE_BYTES = 8_000_000

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A mail is somebody else's HTML: no scripts, no origin, no forms; pictures only when asked for. */
const mailPolicy = (images: boolean): string =>
  'sandbox allow-popups allow-popups-to-escape-sandbox; ' +
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:${images ? ' https: http:' : ''}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const toWire = ({ id, sendId, notificationId, userId, channel, message }: SandboxMessage) => ({
  id,
  trackingId: sendId,
  type: notificationId,
  channel,
  userId,
  date: new Date(timeInId(id)).toISOString(),
  ...message
})

/** Links of an email open beside the sandbox page. */
function openLinksInNewTabs(html: string): string {
  let headEnd: number | undefined
  walkHtml(html, {
    open({ end, name }) {
      if (name === 'head') headEnd ??= end
    }
  })
  if (headEnd === undefined) return html
  return `${html.slice(0, headEnd)}<base target="_blank">${html.slice(headEnd)}`
}

const file = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8')

const asset = (name: string, type: string): Route =>
  route('GET', `/sandbox/${name}`, 'anyone', async () => ({
    body: await file(name),
    headers: { 'cache-control': 'no-cache', 'content-type': `${type}; charset=utf-8` },
    status: 200
  }))

export function sandboxRoutes({
  db,
  clientId,
  open,
  adminTokenHash,
  pageBytes = MAX_PAGE_BYTES
}: SandboxOptions): Route[] {
  /** Browsers can ask for a password by themselves, also for what a frame loads: the token is the password. */
  const checkReader = ({ headers }: CallOf['anyone']): void => {
    if (isAdmin(headers.authorization, adminTokenHash)) return
    const [, basic] = /^basic +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    const token = Buffer.from(basic ?? '', 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
    if (basic !== undefined && isAdmin(`Bearer ${token}`, adminTokenHash)) return
    if (open?.(headers.host)) return
    const password = 'The password is the admin token; the name does not matter.'
    // A browser keeps it for this name alone, so another one may be asked, too.
    throw new Problem('unauthorized', open ? `${HOST_REFUSED_DETAIL} ${password}` : password, {
      headers: { 'www-authenticate': 'Basic realm="notif-kit sandbox", charset="UTF-8"' }
    })
  }

  const find = async (envId: string, messageId: string): Promise<SandboxMessage | undefined> => {
    const bucket = bucketOfId(messageId)
    return readMessage(db.of(bucket), bucket, envId, messageId)
  }

  const page = async (call: CallOf['anyone']): Promise<Answer> => {
    checkReader(call)
    const { env = clientId, user, m, before, view, images } = parseQuery(pageQuery, call.query)
    const { messages, next } = await readMessages(db, {
      before,
      bytes: pageBytes,
      envId: env,
      limit: PAGE,
      userId: user || undefined
    })
    const chosen = m === undefined ? messages[0] : await find(env, m)
    if (m !== undefined && !chosen) throw new Problem('not-found', 'There is no such message (any more).')
    return {
      body: sandboxPage({
        before,
        chosen,
        env,
        images: images === '1',
        messages,
        next,
        reading: m !== undefined,
        user,
        view
      }),
      headers: { 'content-security-policy': PAGE_POLICY, 'content-type': 'text/html; charset=utf-8' },
      status: 200
    }
  }

  const part = async (call: CallOf['anyone']): Promise<Answer> => {
    checkReader(call)
    const { env = clientId, images } = parseQuery(partQuery, call.query)
    const wanted = call.params['id'] ?? ''
    const found = isTrackingId(wanted) ? await find(env, wanted) : undefined
    const text = found?.message['html']
    if (typeof text !== 'string') throw new Problem('not-found', 'There is no such message (any more).')
    return {
      body: openLinksInNewTabs(text),
      headers: {
        'content-security-policy': mailPolicy(images === '1'),
        'content-type': 'text/html; charset=utf-8'
      },
      status: 200
    }
  }

  return [
    asset('style.css', 'text/css'),
    asset('live.js', 'text/javascript'),
    route('GET', '/sandbox', 'anyone', page),
    route('GET', '/sandbox/messages/:id/html', 'anyone', part),

    /** Newest first; `cursor` of an answer's `next` gives the older ones. */
    route('GET', '/:clientId/sandbox/messages', 'back-end', messagesDoc, async ({ env, query }) => {
      const { user, channel, trackingId, count, cursor } = parseQuery(listQuery, query)
      const { messages, next } = await readMessages(db, {
        before: cursor,
        bytes: pageBytes,
        channel,
        envId: env.id,
        limit: count,
        sendId: trackingId,
        userId: user
      })
      return {
        body: { messages: messages.map(toWire), ...(next !== undefined && { next }) },
        status: 200
      }
    })
  ]
}
