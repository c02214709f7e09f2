// What must be there before an example can be sent, for those that need more than a type, a user and a message.

import type { Example } from '../../server/http/doc.ts'
import type { TestApp } from '../security/app.ts'

/** By operationId: makes what is needed, and gives what the example could not know, such as the id of a new send. */
export const GIVEN: Readonly<
  Record<string, (app: TestApp, example: Example) => Promise<Pick<Example, 'params' | 'query' | 'body'>>>
> = {}
