// Types and their templates: overview, versions, preview, promotion.

import type { Promotion } from '../../../server/client/environments.ts'
import type { PreviewAnswer, PreviewRequest } from '../../../server/client/preview.ts'
import type { NotificationType } from '../../../server/client/types.ts'
import type {
  TypeDiff,
  TypeFile,
  TypeOverviewPage,
  TypeVariables,
  TypeVersion,
  TypeVersionPage
} from '../../../server/client/versions.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { Promotion } from '../../../server/client/environments.ts'
export type { Preview } from '../../../server/client/preview.ts'
export type { NotificationType } from '../../../server/client/types.ts'
export type {
  TypeDiff,
  TypeOverview,
  TypeVariables,
  TypeVersionPage,
  VersionHead
} from '../../../server/client/versions.ts'

/** Fields of a template: texts, or what this page does not edit. */
export type Template = Readonly<Record<string, unknown>>
export type Templates = Readonly<Record<string, Template>>

/** What a version holds and a save replaces. The fields of its templates are those that the editor finds there. */
export type TypeContent = Omit<TypeVersion['type'], 'templates'> & { readonly templates: Templates }

/** A fault of the whole template has no place. */
export type TemplateFault = Pick<TypeVersion['faults'][number], 'column' | 'detail' | 'line'> & {
  /** Such as #/templates/EMAIL@de/subject. */
  readonly pointer?: string
}

export type Version = Omit<TypeVersion, 'type'> & { readonly type: TypeContent }

export const listOverviews = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<TypeOverviewPage>> =>
  api.get('/types', { query: { count: 100, cursor: after ?? undefined }, signal })

export const readType = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<NotificationType>> => api.get(path`/notifications/${id}`, { signal })

/** Off by default. */
export const createType = (
  { api }: AdminScope,
  id: string,
  title: string
): Promise<Answer<NotificationType>> =>
  api.put(path`/notifications/${id}`, {
    body: { channels: ['INAPP_WEB'], enabled: false, templates: { INAPP_WEB: { title } }, title },
    headers: { 'if-none-match': '*' }
  })

export const readDraft = ({ api }: AdminScope, id: string, signal?: AbortSignal): Promise<Answer<Version>> =>
  api.get(path`/notifications/${id}/draft`, { signal })

export const readVersion = ({ api }: AdminScope, id: string, version: string): Promise<Answer<Version>> =>
  api.get(path`/notifications/${id}/versions/${version}`)

export const saveDraft = (
  { api }: AdminScope,
  id: string,
  body: TypeContent,
  etag: string | undefined
): Promise<Answer<Version>> =>
  api.put(path`/notifications/${id}/draft`, { body, headers: etag === undefined ? {} : { 'if-match': etag } })

/** Roll back is the same with an old number. */
export const publish = async (
  scope: AdminScope,
  id: string,
  version: number,
  etag: string | undefined
): Promise<Answer<NotificationType>> =>
  scope.api.post(path`/notifications/${id}/publish`, {
    body: { version },
    headers: etag === undefined ? {} : { 'if-match': etag }
  })

export const listVersions = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<TypeVersionPage>> =>
  api.get(path`/notifications/${id}/versions`, { query: { count: 20 }, signal })

export const readDiff = (
  { api }: AdminScope,
  id: string,
  from: string,
  to: string,
  signal?: AbortSignal
): Promise<Answer<TypeDiff>> => api.get(path`/notifications/${id}/diff`, { query: { from, to }, signal })

export const readVariables = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<TypeVariables>> => api.get(path`/notifications/${id}/variables`, { signal })

export const readPreviews = (
  { api }: AdminScope,
  id: string,
  body: PreviewRequest,
  signal: AbortSignal
): Promise<Answer<PreviewAnswer>> => api.post(path`/notifications/${id}/preview`, { body, signal })

export const exportType = ({ api }: AdminScope, id: string): Promise<Answer<TypeFile>> =>
  api.get(path`/notifications/${id}/export`)

export const readPromotion = (
  { clientId, operators }: AdminScope,
  type: string,
  to: string
): Promise<Answer<Promotion>> =>
  operators.get(path`/environments/${clientId}/promotions`, { query: { to, type } })

/** Only if both environments still have what was compared. */
export const promote = (
  { clientId, operators }: AdminScope,
  type: string,
  { from, targetEtag, to }: Promotion
): Promise<Answer<NotificationType>> =>
  operators.post(path`/environments/${clientId}/promotions`, {
    body: { to: to.clientId, type, version: from.version },
    headers: targetEtag === null ? { 'if-none-match': '*' } : { 'if-match': targetEtag }
  })
