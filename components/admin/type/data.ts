// What the screen of a type reads: the type, its newest version, versions, variables of recent sends, and a comparison.

import { Loader, type LoaderHost } from '../api/loader.ts'
import {
  listVersions,
  readDiff,
  readDraft,
  readType,
  readVariables,
  type TypeDiff,
  type NotificationType,
  type TypeVariables,
  type Version,
  type TypeVersionPage
} from '../api/types.ts'
import type { Draft } from './draft.ts'

export interface Wanted {
  /** Of the type; empty until it is known. */
  id(): string
  /** The version that is compared with the published one. */
  compared(): string
}

export class TypeData {
  readonly head: Loader<NotificationType>
  readonly newest: Loader<Version>
  readonly versions: Loader<TypeVersionPage>
  readonly variables: Loader<TypeVariables>
  readonly diff: Loader<TypeDiff>

  /** @param draft - begins with the newest version */
  constructor(host: LoaderHost, draft: Draft, { compared, id }: Wanted) {
    this.head = new Loader<NotificationType>(host, {
      key: id,
      read: (scope, signal) => (id() ? readType(scope, id(), signal) : undefined)
    })
    this.newest = new Loader<Version>(host, {
      key: id,
      onValue: version => draft.open(version, this.newest.etag),
      read: (scope, signal) => (id() ? readDraft(scope, id(), signal) : undefined)
    })
    this.versions = new Loader<TypeVersionPage>(host, {
      key: id,
      read: (scope, signal) => (id() ? listVersions(scope, id(), signal) : undefined)
    })
    this.variables = new Loader<TypeVariables>(host, {
      key: id,
      read: (scope, signal) => (id() ? readVariables(scope, id(), signal) : undefined)
    })
    this.diff = new Loader<TypeDiff>(host, {
      key: () => `${id()} ${compared()}`,
      read: (scope, signal) => (id() ? readDiff(scope, id(), 'published', compared(), signal) : undefined)
    })
  }

  /** What a save or a publication changes. */
  async reload(): Promise<void> {
    await Promise.all([this.head.reload(), this.versions.reload(), this.diff.reload()])
  }
}
