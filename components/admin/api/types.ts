// Types and their templates: overview, versions, preview, promotion.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface TypeOverview {
  readonly id: string
  readonly title: string
  readonly enabled: boolean
  readonly channels: readonly string[]
  readonly managedBy?: 'files'
  readonly updatedAt: string
  readonly version?: number
  readonly draft?: number
  readonly locales: Readonly<Partial<Record<string, readonly string[]>>>
  readonly sent: readonly number[]
  readonly failed: readonly number[]
  readonly needsLook: readonly { readonly code: string; readonly detail: string; readonly channel?: string }[]
}

/** Fields of a template: texts, or what this page does not edit. */
export type Template = Readonly<Record<string, unknown>>
export type Templates = Readonly<Record<string, Template>>

/** Body of a save: settings as they were read, and templates. */
export interface TypeContent {
  readonly id: string
  readonly title: string
  readonly enabled: boolean
  readonly channels: readonly string[]
  readonly templates: Templates
  readonly [setting: string]: unknown
}

export interface TypeHead {
  readonly id: string
  readonly title: string
  readonly enabled: boolean
  readonly version?: number
  readonly managedBy?: 'files'
  readonly updatedAt: string
}

export interface TemplateFault {
  /** Such as #/templates/EMAIL@de/subject; absent if the fault has no place. */
  readonly pointer?: string
  readonly detail: string
  readonly line?: number
  readonly column?: number
}

export interface VersionHead {
  readonly number: number
  readonly createdAt: string
  readonly createdBy: string
  readonly note?: string
  readonly isPublished: boolean
}

export interface Version extends VersionHead {
  readonly type: TypeContent
  readonly faults: readonly TemplateFault[]
}

export interface Versions {
  readonly versions: readonly VersionHead[]
  readonly publications: readonly { readonly at: string; readonly by: string; readonly version: number }[]
}

export interface Diff {
  readonly from: number
  readonly to: number
  readonly added: number
  readonly removed: number
  readonly diff: string
}

export interface Variables {
  readonly variables: readonly { readonly name: string; readonly sample: string; readonly count: number }[]
  readonly missing: readonly { readonly channel: string; readonly name: string; readonly count: number }[]
  readonly sends: readonly string[]
}

export interface Preview {
  readonly channel: string
  readonly template: string
  readonly locale?: string
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly bytes: Readonly<Record<string, number | undefined>>
  readonly segments?: { readonly count: number; readonly encoding: string }
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
  readonly problem?: {
    readonly detail: string
    readonly field?: string
    readonly line?: number
    readonly column?: number
  }
}

export interface Promotion {
  readonly from: { readonly clientId: string; readonly version: number | null }
  readonly to: { readonly clientId: string; readonly version: number | null; readonly managedBy?: 'files' }
  readonly targetEtag: string | null
  readonly diff: string
  readonly added: number
  readonly removed: number
}

export const listOverviews = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<
  Answer<{
    readonly types: readonly TypeOverview[]
    readonly days: readonly string[]
    readonly next?: string
  }>
> => api.get('/types', { query: { count: 100, cursor: after ?? undefined }, signal })

export const readType = ({ api }: AdminScope, id: string, signal?: AbortSignal): Promise<Answer<TypeHead>> =>
  api.get(path`/notifications/${id}`, { signal })

/** Off by default. */
export const createType = ({ api }: AdminScope, id: string, title: string): Promise<Answer<TypeHead>> =>
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
): Promise<Answer<TypeHead>> =>
  scope.api.post(path`/notifications/${id}/publish`, {
    body: { version },
    headers: etag === undefined ? {} : { 'if-match': etag }
  })

export const listVersions = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<Versions>> => api.get(path`/notifications/${id}/versions`, { query: { count: 20 }, signal })

export const readDiff = (
  { api }: AdminScope,
  id: string,
  from: string,
  to: string,
  signal?: AbortSignal
): Promise<Answer<Diff>> => api.get(path`/notifications/${id}/diff`, { query: { from, to }, signal })

export const readVariables = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<Variables>> => api.get(path`/notifications/${id}/variables`, { signal })

export const readPreviews = (
  { api }: AdminScope,
  id: string,
  body: unknown,
  signal: AbortSignal
): Promise<Answer<{ readonly previews: readonly Preview[]; readonly messages: readonly string[] }>> =>
  api.post(path`/notifications/${id}/preview`, { body, signal })

export const exportType = (
  { api }: AdminScope,
  id: string
): Promise<Answer<{ readonly file: string; readonly text: string }>> =>
  api.get(path`/notifications/${id}/export`)

export const readPromotion = (
  { clientId, operators }: AdminScope,
  type: string,
  to: string
): Promise<Answer<Promotion>> => operators.get('/promotions', { query: { from: clientId, to, type } })

export const promote = (
  { clientId, operators }: AdminScope,
  type: string,
  { targetEtag, to, from }: Promotion
): Promise<Answer<unknown>> =>
  operators.post('/promotions', {
    body: { from: clientId, to: to.clientId, type, ...(from.version !== null && { version: from.version }) },
    headers: targetEtag === null ? { 'if-none-match': '*' } : { 'if-match': targetEtag }
  })
