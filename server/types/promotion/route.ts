// Promotes a type from one environment to another of this server, for operators: first a look at the differences, then the change.

import type { Environments } from '../../config/environment-settings.ts'
import type { Db } from '../../db/db.ts'
import { etagOf, preconditionOf } from '../../http/etag.ts'
import { invalidFields, parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Route } from '../../http/route.ts'
import { checkerWithPartials, type Checker } from '../partials/check-partials.ts'
import { MAX_PARTIALS } from '../partials/partials.sql.ts'
import { tooManyPartials } from '../partials/schema.ts'
import { throwFaults, typeNotFound } from '../route.ts'
import { toBody } from '../type-body.ts'
import { toTypeFile } from '../type-file.ts'
import type { TypeStore } from '../type.ts'
import { diffTexts } from '../versions/diff.ts'
import { lockEditable } from '../versions/publish.sql.ts'
import { contentFaults } from '../versions/route.ts'
import { previewDoc, promoteDoc } from './doc.ts'
import { applyPromotion, readPromotion, type PromotedPartial, type Promotion } from './promotion.sql.ts'
import { promotionBody, promotionQuery } from './schema.ts'

export interface PromotionRouteOptions {
  readonly db: Pick<Db, 'control'>
  readonly environments: Pick<Environments, 'get'>
  readonly renderer: Checker
  readonly types: Pick<TypeStore, 'forget' | 'read'>
}

const PROMOTIONS = '/environments/:clientId/promotions'

export const promotionRoutes = ({ db, environments, renderer, types }: PromotionRouteOptions): Route[] => {
  /** @throws Problem */
  const checkEnvironments = async (from: string, to: string): Promise<void> => {
    if (from === to)
      throw invalidFields([{ detail: 'Expected another environment than the source.', pointer: '#/to' }])
    for (const id of [from, to]) {
      if (!(await environments.get(id)))
        throw new Problem('not-found', `No environment has the client id ${JSON.stringify(id)}.`)
    }
  }

  return [
    route('GET', PROMOTIONS, 'admin', previewDoc, async ({ params, query }) => {
      const from = params['clientId']!
      const { to, type: id } = parseQuery(promotionQuery, query)
      await checkEnvironments(from, to)
      const promotion = await readPromotion(db.control, from, to, id)
      if (!promotion) throw typeNotFound(id)
      const current = await types.read(to, id)
      const { source, target } = promotion
      return ok({
        from: { clientId: from, version: source.number },
        to: {
          clientId: to,
          version: target?.number ?? null,
          ...(current?.managedBy && { managedBy: current.managedBy })
        },
        targetEtag: current ? etagOf(toBody(current)) : null,
        ...diffTexts(target ? toTypeFile(id, target.content).text : '', toTypeFile(id, source.content).text, [
          to,
          from
        ]),
        partials: promotion.partials.map(one => toPartialBody(one, to, from))
      })
    }),

    route('POST', PROMOTIONS, 'admin', promoteDoc, async call => {
      const from = call.params['clientId']!
      const { note, to, type: id, version } = parseInput(promotionBody, call.body, { nulls: 'absent' })
      await checkEnvironments(from, to)
      const check = preconditionOf(call)
      await db.control.begin(async tx => {
        await lockEditable(tx, to, id, { by: call.operator })
        const current = check && (await types.read(to, id, tx))
        check?.(current && toBody(current))
        const promotion = await readPromotion(tx, from, to, id)
        if (!promotion) throw typeNotFound(id)
        assertApplicable(promotion, version)
        throwFaults(contentFaults(checkerWithPartials(renderer, promotion.merged), promotion.source.content))
        const author = {
          by: call.operator,
          note: note ?? `Promoted from ${from}, version ${promotion.source.number}`
        }
        if ((await applyPromotion(tx, to, id, promotion, author)) === 'too-many-partials')
          throw new Problem('conflict', tooManyPartials(MAX_PARTIALS))
      })
      types.forget(to)
      const promoted = await types.read(to, id)
      // Another request deleted it in the meantime.
      if (!promoted) throw typeNotFound(id)
      const body = toBody(promoted)
      return { body, headers: { etag: etagOf(body) }, status: 200 }
    })
  ]
}

/** @throws Problem if the source has changed since, or if other types of the target would change too */
function assertApplicable({ partials, source }: Promotion, version: number | undefined): void {
  if (version !== undefined && version !== source.number) {
    throw new Problem(
      'conflict',
      `The source has published version ${source.number} in the meantime. Look at the differences again.`
    )
  }
  const shared = partials.filter(({ usedBy }) => usedBy.length > 0)
  if (shared.length === 0) return
  const names = shared.map(({ id, kind, usedBy }) => `${kind}/${id} (${usedBy.join(', ')})`).join('; ')
  throw new Problem(
    'conflict',
    `Other types of the target use what would change: ${names}. Change these layouts and partials there first.`
  )
}

function toPartialBody({ before, id, kind, text, usedBy }: PromotedPartial, to: string, from: string) {
  const state = before === undefined ? 'new' : before === text ? 'same' : 'changed'
  return { kind, id, state, usedBy, ...diffTexts(before ?? '', text, [to, from]) }
}
