// Follows paths in one engine.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before } from 'node:test'

import { openWebhookPeer, type WebhookPeer } from '../../inbox/updates/webhook-peer.ts'
import { CLIENT, createUserId, openSite, SECRET, type Site } from '../site.ts'
import type { Browser, Engine, Session, Size } from './engine.ts'
import { NO_PUSH_PROMPT, RECORDER } from './in-page.ts'
import { Page } from './page.ts'
import type { Path, Visit } from './paths/path.ts'

/** `.ci/run` sets it: there an engine that is missing fails. */
const isRequired = process.env['TEST_ENGINES'] === 'required'
/** A folder for a picture of each page at the end of its path. */
const pictures = process.env['TEST_PICTURES']

const DESK: Size = { height: 800, width: 1000 }
const PATH_TIMEOUT_MS = 180_000

const ADMIN_TOKEN = 'the-token-of-the-operator'

const SIGNING_KEY = createHmac('sha256', SECRET).update('notif-kit/webhook').digest('base64')

/** A site whose server calls this back end. */
async function openSiteOf(backEnd: WebhookPeer): Promise<Site> {
  const site = await openSite({
    NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
    NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
    NOTIF_OUTBOUND_PORTS: String(backEnd.port)
  })
  const answer = await fetch(`${site.base}/environments/${CLIENT}`, {
    body: JSON.stringify({ webhook: { url: backEnd.url } }),
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    method: 'PATCH'
  })
  if (!answer.ok) throw new Error(`environment answered ${answer.status}: ${await answer.text()}`)
  return site
}

interface Stage {
  readonly engine: Engine
  readonly site: Site
  readonly backEnd: WebhookPeer
}

async function follow(
  { name, run }: Path,
  { backEnd, engine, site }: Stage,
  session: Session
): Promise<void> {
  const user = createUserId()
  const pages: Page[] = []
  const openAt = async (address: string): Promise<Page> => {
    const page = new Page(await session.openTab())
    pages.push(page)
    await page.tab.goto(address)
    return page
  }
  const visit: Visit = {
    backEnd,
    engine: engine.name,
    open: ({ asksForPush = false, body = '<notif-popup></notif-popup>', ...options } = {}) => {
      const scripts = asksForPush ? RECORDER : RECORDER + NO_PUSH_PROMPT
      return openAt(site.page({ body: scripts + body, userId: user, ...options }))
    },
    openAt,
    send: (title, { type, ...more } = {}) => site.send(user, { title, ...more }, type as string | undefined),
    site,
    user
  }
  try {
    await run(visit)
    for (const page of pages) if (!page.isClosed) assert.deepEqual(await page.complaints(), [])
  } finally {
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true })
      for (const [index, page] of pages.entries()) {
        if (page.isClosed) continue
        const file = `${engine.name}-${name.replaceAll(/\W+/g, '-')}-${index}.png`
        writeFileSync(join(pictures, file), await page.tab.screenshot())
      }
    }
  }
}

export interface Paths {
  /** Of the test of a path. `skip` says what to install. */
  readonly options: { readonly skip: false | string; readonly timeout: number }
  follow(path: Path): Promise<void>
}

/** Opens the browser and a site before the first test of the file that calls this, and closes them after the last. */
export function openPaths(engine: Engine): Paths {
  const { missing } = engine
  const skip = !isRequired && missing !== undefined && missing
  let site: Site
  let browser: Browser
  let backEnd: WebhookPeer

  before(async () => {
    if (skip) return
    if (missing !== undefined) throw new Error(`${engine.name} is required: ${missing}.`)
    backEnd = await openWebhookPeer(`whsec_${SIGNING_KEY}`)
    site = await openSiteOf(backEnd)
    browser = await engine.launch()
  })
  after(async () => {
    await browser?.[Symbol.asyncDispose]()
    await backEnd?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })

  return {
    async follow(path) {
      await using session = await browser.openSession(path.size ?? DESK)
      await follow(path, { backEnd, engine, site }, session)
    },
    options: { skip, timeout: PATH_TIMEOUT_MS }
  }
}
