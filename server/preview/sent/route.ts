// The content of a send that was accepted: as it is in the inbox, or rendered again with the version of the type of that time.

import type { Channel } from '#protocol'

import { retentionInDays, type Environment } from '../../config/environment-settings.ts'
import { bucketOfId, isTrackingId } from '../../core/id.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type BackEndCall, type Route } from '../../http/route.ts'
import type { DeliveryFacts } from '../../logs/delivery-facts.ts'
import { explainDeliveries } from '../../logs/explain-delivery.ts'
import { decidedAt } from '../../logs/log-record.ts'
import { readSendFacts } from '../../logs/logs.sql.ts'
import { statusLabels } from '../../logs/status-labels.ts'
import type { Context } from '../../process/context.ts'
import { inlineContent, type Send } from '../../send/send-request.ts'
import { contentUsesPartials } from '../../types/partials/check-partials.ts'
import { isChannel, templatesByChannel } from '../../types/template-rows.ts'
import type { TemplateContent } from '../../types/templates/content.ts'
import { readVersionAt } from '../../types/versions/versions.sql.ts'
import { preview } from '../preview.ts'
import { readPreviewReader } from '../route.ts'
import type { PreviewBody } from '../schema.ts'
import { sentContentDoc } from './doc.ts'
import { readItemContent } from './item-content.sql.ts'

const DAY_MS = 86_400_000

type SentContext = Pick<Context, 'clock' | 'config' | 'db' | 'renderer' | 'types'>
type Templates = ReadonlyMap<Channel, ReadonlyMap<string, TemplateContent>>

export const sentContentRoutes = (context: SentContext): Route[] => [
  route('GET', '/:clientId/logs/:trackingId/content', 'back-end', sentContentDoc, async call => {
    const { env, params } = call
    const id = (params['trackingId'] ?? '').toLowerCase()
    const from = context.clock() - retentionInDays(env.settings, context.config) * DAY_MS
    const facts = isTrackingId(id) ? await readSendFacts(context.db, env.id, id, from) : undefined
    if (!facts)
      throw new Problem(
        'not-found',
        'No send with this tracking id is in the log. Sends are deleted when their retention ends.'
      )
    const { send } = facts
    const channels = Object.entries(send.decisions)
      .filter(([channel, decision]) => isChannel(channel) && statusLabels(decision).kind === 'out')
      .map(([channel]) => channel as Channel)
    const stored = channels.includes('INAPP_WEB') ? await readStoredItem(context, facts) : undefined
    const version = await readVersionAt(context.db.control, env.id, send.type, new Date(decidedAt(facts)))
    const current = version ? undefined : await context.types.read(env.id, send.type)
    const source: Source = {
      templates: version ? templatesByChannel(version.content.templates) : (current?.templates ?? new Map()),
      ...(version && { version: version.number })
    }
    const contents = await Promise.all(
      channels.map(async channel => {
        if (channel === 'INAPP_WEB' && stored) return stored
        if (send.digests?.[channel]) return toLogged(facts, channel)
        return render(context, call, env, facts, channel, source)
      })
    )
    return ok({
      channels: contents.filter(content => content !== undefined),
      trackingId: id,
      type: send.type
    })
  })
]

interface Source {
  readonly templates: Templates
  /** Number of the version that was published. Absent: unknown, so the templates are those of now. */
  readonly version?: number
}

async function readStoredItem({ db }: SentContext, { send }: DeliveryFacts) {
  const bucket = bucketOfId(send.id)
  const content = await readItemContent(db.of(bucket).sql, send)
  if (!content) return undefined
  const fields = Object.fromEntries(Object.entries(content).filter(([, value]) => typeof value === 'string'))
  return { channel: 'INAPP_WEB' as const, fields, isExact: true, source: 'stored' as const }
}

/** The beginning of the message that the log keeps; undefined before its last attempt. */
function toLogged(facts: DeliveryFacts, channel: Channel) {
  const content = explainDeliveries(facts, channel).find(delivery => delivery.content)?.content
  if (!content) return undefined
  const { subject, text } = content
  return {
    channel,
    fields: { ...(subject !== undefined && { subject }), text },
    isExact: false,
    source: 'logged' as const
  }
}

async function render(
  context: SentContext,
  caller: BackEndCall,
  env: Environment,
  facts: DeliveryFacts,
  channel: Channel,
  { templates, version }: Source
) {
  const { config, db, renderer, types } = context
  const send = facts.send.body as unknown as Send
  const inline = inlineContent(send, channel)
  const own = inline ? new Map([['', inline as TemplateContent]]) : templates.get(channel)
  if (!own) return toLogged(facts, channel)
  const expanded = await types.expandTemplates(env.id, new Map([[channel, own]]))
  const { options, parameters, replace, templateId, to } = send
  const { email, id, locale, number, timezone } = to
  const body = {
    channels: [channel],
    to: {
      id,
      ...(email !== undefined && { email }),
      ...(locale !== undefined && { locale }),
      ...(number !== undefined && { number }),
      ...(timezone !== undefined && { timezone })
    },
    ...(options && { options }),
    ...(parameters && { parameters }),
    ...(replace && { replace }),
    ...(templateId !== undefined && !inline && { templateId })
  } as PreviewBody
  const reader = await readPreviewReader({ config, db }, env, facts.send.type, body.to ?? {})
  const origin = { caller, envId: env.id }
  const { previews } = await preview(
    { config, origin, renderer, types },
    facts.send.type,
    expanded,
    body,
    reader
  )
  const [found] = previews
  if (!found) return toLogged(facts, channel)
  const { fields, locale: shownLocale, problem, template } = found
  const usesPartials = [...own.values()].some(contentUsesPartials)
  return {
    channel,
    fields,
    isExact: inline !== undefined || (version !== undefined && !usesPartials),
    source: 'rendered' as const,
    ...(!inline && { template, ...(version !== undefined && { version }) }),
    ...(shownLocale !== undefined && { locale: shownLocale }),
    ...(problem && { problem })
  }
}
