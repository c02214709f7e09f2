// Saved versions of a notification type: each save adds one, and one of them is published.

import type { TemplateRow } from '../template-rows.ts'
import type { NewType } from '../type.ts'

/** Versions that a type keeps besides the published one; older ones are deleted. */
export const MAX_TYPE_VERSIONS = 200
/** Publications that a type keeps. */
export const MAX_TYPE_PUBLICATIONS = 500

/** A type as one version has it. */
export interface VersionContent extends Pick<NewType, 'title' | 'channels' | 'settings'> {
  readonly templates: readonly TemplateRow[]
}

export interface VersionHead {
  readonly number: number
  readonly createdAt: Date
  readonly createdBy: string
  readonly note: string | null
  readonly isPublished: boolean
}

export interface Version extends VersionHead {
  readonly content: VersionContent
}

export interface Publication {
  readonly at: Date
  readonly by: string
  readonly version: number
}

/** `latest`: the newest one, published or not. */
export type VersionName = number | 'latest' | 'published'
