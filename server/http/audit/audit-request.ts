// Decides which requests are audited: what operators do with the data of an environment, and what they change.

import type { BlockList } from 'node:net'

import type { Request } from 'express'

import { clientAddress } from '../client-address.ts'
import type { Reply } from '../handle-request.ts'
import { subjectOf } from '../request-subject.ts'
import type { Answer, Route } from '../route.ts'
import type { Audit } from './audit.ts'

/**
 * @param operator - who calls; undefined: not an operator
 * @param work - executes the request
 */
export function auditRequest(
  { audit, trustedProxies }: { readonly audit: Audit; readonly trustedProxies: BlockList },
  operator: string | undefined,
  { access, method, path }: Pick<Route, 'access' | 'method' | 'path'>,
  request: Request,
  reply: Pick<Reply, 'call'>,
  work: () => Promise<Answer>
): Promise<Answer> {
  // Reads of operator routes show no data of an environment.
  if (operator === undefined || (access === 'admin' && method === 'GET')) return work()
  const { clientId } = request.params
  const call = {
    actor: operator,
    address: clientAddress(request, trustedProxies),
    clientId: typeof clientId === 'string' ? clientId : undefined,
    method: request.method,
    route: path,
    userDigest: subjectOf(request.params).userDigest
  }
  return audit.run(call, work, () => subjectOf(request.params, reply.call).userDigest)
}
