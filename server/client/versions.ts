// Versions of notification types: drafts, publishing, differences, and the form of files.

import type { Call, CallOptions } from './call.ts'
import type { Channel, Instant, PageOptions } from './names.ts'
import type { FieldProblem } from './problem.ts'
import type { TypeContent, WholeType } from './types.ts'

export interface VersionHead {
  readonly number: number
  readonly createdAt: Instant
  /** `secret`, `key:` and the name of an API key, the name of an operator in the audit log, or `files`. */
  readonly createdBy: string
  readonly note?: string
  readonly isPublished: boolean
}

export interface TypeVersion extends VersionHead {
  /** Templates that do not parse. A version with faults cannot be published. */
  readonly faults: readonly FieldProblem[]
  readonly type: Omit<WholeType, 'managedBy' | 'updatedAt' | 'version'>
}

export interface TypeVersionPage {
  /** Newest first. */
  readonly versions: readonly VersionHead[]
  /** On the first page: when which version was published, newest first. */
  readonly publications: readonly { readonly at: Instant; readonly by: string; readonly version: number }[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

/** Number of a version, the newest one, or the one that sends use. */
export type VersionName = number | 'latest' | 'published'

export type TypeDraft = TypeContent & {
  /** What this version changes, for the list of versions. */
  readonly note?: string
}

export interface TypeDiff {
  readonly from: number
  readonly to: number
  /** Lines. */
  readonly added: number
  readonly removed: number
  /** Unified diff of the file form; empty if nothing differs. */
  readonly diff: string
}

/** A type as a file of NOTIF_TYPES_DIR. */
export interface TypeFile {
  readonly file: string
  /** YAML. */
  readonly text: string
}

/** A type with what is incomplete in it, and its deliveries by day. */
export interface TypeOverview {
  readonly id: string
  readonly title: string
  readonly enabled: boolean
  readonly channels: readonly Channel[]
  readonly updatedAt: Instant
  /** Number of the published version. */
  readonly version?: number
  /** Number of the newest version, if another one is published. */
  readonly draft?: number
  readonly managedBy?: 'files'
  /** Languages of the default templates; an empty text is the template without a language. */
  readonly locales: Readonly<Partial<Record<Channel, readonly string[]>>>
  /** Deliveries that succeeded, for each of the days. */
  readonly sent: readonly number[]
  readonly failed: readonly number[]
  readonly needsLook: readonly {
    readonly code: 'missing-template' | 'missing-language' | 'missing-variables'
    readonly detail: string
    readonly channel?: Channel
    readonly locale?: string
  }[]
}

export interface TypeOverviewPage {
  readonly types: readonly TypeOverview[]
  /** The last 14 days in UTC, the oldest first. */
  readonly days: readonly string[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

/** The variables of recent sends of a type. */
export interface TypeVariables {
  readonly variables: readonly {
    /** As in a template; `lines[]` is each entry of a list. */
    readonly name: string
    /** JSON, at most 200 characters. */
    readonly sample: string
    /** Sends that have it. */
    readonly count: number
  }[]
  /** Variables that a published template reads and that `count` of the sends lack. */
  readonly missing: readonly {
    readonly channel: Channel
    readonly template: string
    readonly name: string
    readonly count: number
  }[]
  /** Tracking ids, the newest first. */
  readonly sends: readonly string[]
}

export const versionCalls = (call: Call) => ({
  /** Lists types with their versions, languages, what is incomplete, and deliveries by day. */
  listTypeOverviews: (page: PageOptions = {}, options?: CallOptions): Promise<TypeOverviewPage> =>
    call({ method: 'GET', path: ['types'], query: { ...page } }, options),

  /** Lists the variables of recent sends of a type. */
  listTypeVariables: (id: string, options?: CallOptions): Promise<TypeVariables> =>
    call({ method: 'GET', path: ['notifications', id, 'variables'] }, options),

  /** Lists the saved versions of a type. */
  listTypeVersions: (id: string, page: PageOptions = {}, options?: CallOptions): Promise<TypeVersionPage> =>
    call({ method: 'GET', path: ['notifications', id, 'versions'], query: { ...page } }, options),

  /** Returns a version of a type. @throws NotifProblem 404 if it does not exist */
  getTypeVersion: (id: string, version: VersionName, options?: CallOptions): Promise<TypeVersion> =>
    call({ method: 'GET', path: ['notifications', id, 'versions', String(version)] }, options),

  /** Returns the newest version of a type, published or not. */
  getTypeDraft: (id: string, options?: CallOptions): Promise<TypeVersion> =>
    call({ method: 'GET', path: ['notifications', id, 'draft'] }, options),

  /** Saves a version that no send uses until it is published. @throws NotifProblem 404 if the type does not exist */
  putTypeDraft: (id: string, draft: TypeDraft, options?: CallOptions): Promise<TypeVersion> =>
    call({ body: draft, method: 'PUT', path: ['notifications', id, 'draft'] }, options),

  /**
   * Publishes a version: the next send uses it. An older version than the published one rolls back.
   *
   * @throws NotifProblem 422 if a template of the version does not parse
   */
  publishTypeVersion: (id: string, version: number, options?: CallOptions): Promise<WholeType> =>
    call({ body: { version }, method: 'POST', path: ['notifications', id, 'publish'] }, options),

  /** Compares two versions. Default: what is published with the newest version. */
  diffTypeVersions: (
    id: string,
    between: { readonly from?: VersionName; readonly to?: VersionName } = {},
    options?: CallOptions
  ): Promise<TypeDiff> =>
    call({ method: 'GET', path: ['notifications', id, 'diff'], query: { ...between } }, options),

  /** Returns a version of a type as a file. Default: the published one. */
  exportType: (
    id: string,
    which: { readonly version?: VersionName } = {},
    options?: CallOptions
  ): Promise<TypeFile> =>
    call({ method: 'GET', path: ['notifications', id, 'export'], query: { ...which } }, options)
})
