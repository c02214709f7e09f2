// The sandbox over HTTP: its messages as JSON for back ends and tests, and a page to look at them.

import { readFile } from 'node:fs/promises'

import { digestUserId } from '../../core/hash.ts'
import { bucketOfId, isTrackingId, timeInId } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import { adminActor, type Audit } from '../../http/audit/audit.ts'
import { isAdmin } from '../../http/auth.ts'
import { HOST_REFUSED_DETAIL, type HostCheck } from '../../http/host-check.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Answer, type CallOf, type Route } from '../../http/route.ts'
import { walkHtml } from '../../types/templates/html/walk.ts'
import { renderPage } from './page.ts'
import { readMessage, readMessages, type SandboxMessage } from './sandbox.sql.ts'
import { listQuery, messagesDoc, PAGE_SIZE, pageQuery, partQuery } from './schema.ts'

export interface SandboxOptions {
  readonly db: Db
  /** The page shows messages of this environment unless its address names another. */
  readonly clientId: string
  /** The page is open to everyone who requests it at one of these host names. Undefined: it requires the admin token. */
  readonly isOpenHost: HostCheck | undefined
  readonly adminTokenHash: Buffer | undefined
  readonly audit: Audit
  /** Default: 8 MB. */
  readonly maxPageBytes?: number
}

/** A page ends after so many bytes of messages, but has at least one: an email may have millions, and pages are built in memory. */
const MAX_PAGE_BYTES = 8_000_000

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The HTML of an email is not trusted: no scripts, no origin, no forms; remote pictures only on request. */
const emailPolicy = (loadsImages: boolean): string =>
  'sandbox allow-popups allow-popups-to-escape-sandbox; ' +
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:${loadsImages ? ' https: http:' : ''}; ` +
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

/** Makes links of an email open in a new tab, because the frame must not navigate. */
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

const readAsset = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8')

const assetRoute = (name: string, type: string): Route =>
  route('GET', `/sandbox/${name}`, 'anyone', async () => ({
    body: await readAsset(name),
    headers: { 'cache-control': 'no-cache', 'content-type': `${type}; charset=utf-8` },
    status: 200
  }))

export function sandboxRoutes({
  db,
  clientId,
  isOpenHost,
  adminTokenHash,
  audit,
  maxPageBytes = MAX_PAGE_BYTES
}: SandboxOptions): Route[] {
  /** Accepts the token as a password, because browsers ask for one, also for the content of a frame. */
  const hasAdminToken = (header = ''): boolean => {
    const [, basic] = /^basic +(\S+) *$/i.exec(header) ?? []
    const token = Buffer.from(basic ?? '', 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
    return isAdmin(basic === undefined ? header : `Bearer ${token}`, adminTokenHash)
  }

  /** Shows messages to operators, which is audited, and to everyone at an open host. @throws Problem `unauthorized` */
  const showTo = async (
    { address, headers, query }: CallOf['anyone'],
    path: string,
    show: () => Promise<Answer>
  ): Promise<Answer> => {
    if (adminTokenHash && hasAdminToken(headers.authorization)) {
      const envId = query.get('env') ?? clientId
      const user = query.get('user')
      const userDigest = user === null ? undefined : digestUserId(envId, user)
      const actor = adminActor(adminTokenHash)
      const call = { action: 'viewSandbox', actor, address, clientId: envId, method: 'GET', route: path }
      return audit.run({ ...call, subject: query.get('m') ?? undefined, userDigest }, show)
    }
    if (isOpenHost?.(headers.host)) return show()
    const password = 'The password is the admin token; the user name can be anything.'
    // Safe at any host name, because a browser stores the password for this name only.
    throw new Problem('unauthorized', isOpenHost ? `${HOST_REFUSED_DETAIL} ${password}` : password, {
      headers: { 'www-authenticate': 'Basic realm="notif-kit sandbox", charset="UTF-8"' }
    })
  }

  const findMessage = async (envId: string, messageId: string): Promise<SandboxMessage | undefined> => {
    const bucket = bucketOfId(messageId)
    return readMessage(db.of(bucket), bucket, envId, messageId)
  }

  const showPage = async (call: CallOf['anyone']): Promise<Answer> => {
    const { env = clientId, user, m, before, view, images } = parseQuery(pageQuery, call.query)
    const { messages, next } = await readMessages(db, {
      before,
      maxBytes: maxPageBytes,
      envId: env,
      limit: PAGE_SIZE,
      userId: user || undefined
    })
    const chosen = m === undefined ? messages[0] : await findMessage(env, m)
    if (m !== undefined && !chosen)
      throw new Problem('not-found', 'The sandbox has no message with this id. It may have been deleted.')
    return {
      body: renderPage({
        before,
        chosen,
        env,
        loadsImages: images === '1',
        messages,
        next,
        isReading: m !== undefined,
        user,
        view
      }),
      headers: { 'content-security-policy': PAGE_POLICY, 'content-type': 'text/html; charset=utf-8' },
      status: 200
    }
  }

  const showEmailHtml = async (call: CallOf['anyone']): Promise<Answer> => {
    const { env = clientId, images } = parseQuery(partQuery, call.query)
    const id = call.params['id'] ?? ''
    const message = isTrackingId(id) ? await findMessage(env, id) : undefined
    const text = message?.message['html']
    if (typeof text !== 'string')
      throw new Problem('not-found', 'The sandbox has no message with this id. It may have been deleted.')
    return {
      body: openLinksInNewTabs(text),
      headers: {
        'content-security-policy': emailPolicy(images === '1'),
        'content-type': 'text/html; charset=utf-8'
      },
      status: 200
    }
  }

  const shown = (path: string, show: (call: CallOf['anyone']) => Promise<Answer>): Route =>
    route('GET', path, 'anyone', call => showTo(call, path, () => show(call)))

  return [
    assetRoute('style.css', 'text/css'),
    assetRoute('live.js', 'text/javascript'),
    shown('/sandbox', showPage),
    shown('/sandbox/messages/:id/html', showEmailHtml),

    route('GET', '/:clientId/sandbox/messages', 'back-end', messagesDoc, async ({ env, query }) => {
      const { user, channel, trackingId, count, cursor } = parseQuery(listQuery, query)
      const { messages, next } = await readMessages(db, {
        before: cursor,
        maxBytes: maxPageBytes,
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
