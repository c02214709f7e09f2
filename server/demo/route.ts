// The routes of the demo: its pages, and a stand-in for your own back end that sends through the REST API.

import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { PEOPLE, SAMPLES, VISITOR } from '../../demo/people.ts'
import { createClient, NotifProblem } from '../client/index.ts'
import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment-settings.ts'
import { escapeHtml } from '../core/escape-html.ts'
import { userHash } from '../http/auth.ts'
import { createHostCheck, HOST_REFUSED_DETAIL } from '../http/host-check.ts'
import { isCrossOrigin } from '../http/own-origin.ts'
import { parseInput } from '../http/parse-input.ts'
import { withoutTrailingSlash } from '../http/path-prefix.ts'
import { Problem } from '../http/problem.ts'
import { ok, route, type Answer, type CallOf, type Method, type Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { DEMO_CONTENT } from './content.ts'
import { runReport } from './progress.ts'
import { movePictures, seedInbox, seedTypes } from './samples.sql.ts'
import { SAMPLE_ITEMS } from './samples.ts'
import { trial, tryRequest } from './try.ts'

const message = z.object({
  body: z.string().max(1000).optional(),
  channels: z
    .array(z.enum(CHANNELS.filter(channel => channel !== 'SLACK')))
    .min(1, 'Choose at least one channel.'),
  image: z.string().max(200).optional(),
  title: z.string().min(1).max(200),
  to: z.enum([...PEOPLE, VISITOR].map(person => person.id)),
  type: z.string().min(1).max(100),
  url: z.string().max(200).optional()
})

export interface DemoOptions {
  /** The environment whose inbox the page shows. */
  readonly clientId: string
  readonly dist: string
  /** Returns the address of this server, e.g. `http://127.0.0.1:3000`. */
  readonly base: () => string
}

/**
 * The Content-Security-Policy under which the elements promise to work: nothing inline and no other origins.
 *
 * @param base - address of the demo's pictures; the page may be shown under another name of this machine
 * @param frames - `'self'`: the page shows itself in frames
 */
const demoPolicy = (base: string, frames: "'none'" | "'self'" = "'none'"): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: ${new URL(base).origin}; ` +
  `connect-src 'self'; frame-src ${frames}; base-uri 'none'; form-action 'self'; frame-ancestors ${frames}; ` +
  "require-trusted-types-for 'script'"

/** The strictest policy that a page with scripts can have. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"

/** Pictures have absolute addresses, so that the reader's own first page, which has another origin, shows them as well. */
const toAbsolute = (base: string, image: string | undefined): string | undefined =>
  image?.startsWith('/') ? `${withoutTrailingSlash(base)}${image}` : image

/**
 * Writes the samples into the inboxes of the demo's people, if these inboxes have never held anything.
 *
 * @param base - address of this server for browsers
 */
export async function seedDemo(context: Context, clientId: string, base: string): Promise<void> {
  const items = SAMPLE_ITEMS.map(item => Object.assign({}, item, { image: toAbsolute(base, item.image) }))
  await seedTypes(context.db, clientId, items)
  for (const { id } of PEOPLE) {
    const isNew = await seedInbox(context.db, clientId, id, items, context.clock())
    if (!isNew) await movePictures(context.db, clientId, id, withoutTrailingSlash(base))
  }
}

async function readEnvironment(context: Context, clientId: string): Promise<Environment> {
  const environment = await context.environments.get(clientId)
  if (!environment) throw new Problem('not-found', 'The environment of the demo was deleted.')
  return environment
}

const knownUserId = (id: string | null): string =>
  PEOPLE.find(person => person.id === id)?.id ?? PEOPLE[0]!.id

/** Buttons and the like belong to the samples, so nobody sends others. */
function contentOf(channels: readonly (keyof typeof DEMO_CONTENT)[], type: string): object {
  const content = Object.assign({}, ...channels.map(channel => DEMO_CONTENT[channel]))
  const extras = SAMPLES.find(sample => sample.type === type)?.extras
  return extras && content.inapp ? { ...content, inapp: { ...content.inapp, ...extras } } : content
}

/** @returns false if it was refused, such as because the notification is gone */
async function patchItem(address: string, fields: object, credentials: string): Promise<boolean> {
  const answer = await fetch(address, {
    body: JSON.stringify(fields),
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/json'
    },
    method: 'PATCH'
  }).catch(() => undefined)
  return answer?.ok === true
}

function refuseOtherPages(headers: IncomingHttpHeaders, config: Config): void {
  if (isCrossOrigin(headers, config))
    throw new Problem('forbidden', 'Only pages of this server may call this route.')
}

export function demoRoutes(context: Context, { clientId, dist, base }: DemoOptions): Route[] {
  const isOwn = createHostCheck(context.config)
  const publicBase = (): string => context.config.publicUrl ?? base()
  const demoRoute = (
    method: Method,
    path: string,
    handle: (call: CallOf['anyone']) => Promise<Answer>
  ): Route =>
    route(method, path, 'anyone', async call => {
      if (!isOwn(call.headers.host)) throw new Problem('misdirected', HOST_REFUSED_DETAIL)
      return handle(call)
    })

  /** Fills a built page with the values that your own back end would fill in. */
  async function page(
    { policy, userId }: { readonly policy: string; readonly userId: string },
    name: string
  ): Promise<Answer> {
    const { secret } = await readEnvironment(context, clientId)
    const html = await readFile(join(dist, `demo/${name}.html`), 'utf8')
    const values = { '%CLIENT_ID%': clientId, '%USER_HASH%': userHash(secret, userId), '%USER_ID%': userId }
    return {
      body: html.replaceAll(/%[A-Z_]+%/g, name => escapeHtml(values[name as keyof typeof values] ?? name)),
      headers: {
        'cache-control': 'no-store',
        'content-security-policy': policy,
        'content-type': 'text/html; charset=utf-8'
      },
      status: 200
    }
  }

  return [
    demoRoute('GET', '/', ({ query }) =>
      page({ policy: demoPolicy(publicBase()), userId: knownUserId(query.get('user')) }, 'index')
    ),
    demoRoute('GET', '/demo/strict', () => page({ policy: STRICT_POLICY, userId: VISITOR.id }, 'strict')),
    demoRoute('GET', '/demo/states', () =>
      page({ policy: demoPolicy(publicBase(), "'self'"), userId: VISITOR.id }, 'states')
    ),
    demoRoute('GET', '/demo/theming', ({ query }) =>
      page({ policy: demoPolicy(publicBase()), userId: knownUserId(query.get('user')) }, 'theming')
    ),

    demoRoute('POST', '/demo/try', async ({ body, headers }) => {
      refuseOtherPages(headers, context.config)
      const input = parseInput(trial, body)
      const { secret } = await readEnvironment(context, clientId)
      return ok(await tryRequest(input, { base: withoutTrailingSlash(base()), clientId, secret }))
    }),

    demoRoute('POST', '/demo/send', async ({ body, headers }) => {
      refuseOtherPages(headers, context.config)
      const { to, type, title, body: text, image, url, channels } = parseInput(message, body)
      const { secret } = await readEnvironment(context, clientId)
      const person = [...PEOPLE, VISITOR].find(({ id }) => id === to)!
      // As your own back end would do it.
      const client = createClient({ baseURL: base(), clientId, clientSecret: secret, timeout: 10_000 })
      try {
        const answer = await client.send({
          forceChannels: channels,
          parameters: {
            body: text ?? '',
            image: toAbsolute(publicBase(), image) ?? '',
            name: person.name,
            title,
            url: url ?? ''
          },
          to: { email: person.email, id: person.id, number: person.number },
          type,
          ...contentOf(channels, type)
        })
        const { trackingId } = answer
        if (type === 'report' && trackingId !== undefined && channels.includes('INAPP_WEB')) {
          const address = `${withoutTrailingSlash(base())}/${clientId}/users/${person.id}/inbox/${trackingId}`
          void runReport(fields => patchItem(address, fields, `${clientId}:${secret}`))
        }
        return ok(answer)
      } catch (error) {
        if (!(error instanceof NotifProblem)) throw error
        return { body: { message: error.messages.join(' ') || error.detail }, status: error.status }
      }
    })
  ]
}
