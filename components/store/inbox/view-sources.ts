// What a view needs of its inbox. The code of views is loaded by the first view.

import type { ReadableAtom } from 'nanostores'

import type { InboxPage } from '../../protocol/index.ts'
import type { BaseEnvironment } from '../environment.ts'
import type { Transport } from '../transport.ts'
import type { OptimisticUpdate } from './optimistic.ts'
import type { Inbox } from './reducer.ts'
import type { LoadRequest } from './sync.ts'

export interface ViewSources {
  readonly $inbox: ReadableAtom<Inbox>
  readonly $updates: ReadableAtom<readonly OptimisticUpdate[]>
  /** State of the request for the list. */
  readonly $request: ReadableAtom<LoadRequest>
  readonly environment: Pick<BaseEnvironment, 'after'>
  readonly transport: Pick<Transport, 'getPage' | 'getTypeCounts'>
  readonly pageSize: number
  /** Adds the notifications of a page to the inbox. */
  readonly addItems: (page: InboxPage) => void
  /** Keeps the inbox in step with the server until the returned function is called. */
  readonly synchronize: () => () => void
}
