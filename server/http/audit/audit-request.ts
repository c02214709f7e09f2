// Decides which requests are audited: what operators do with the data of an environment, and what they change.

import type { BlockList } from 'node:net'

import type { Request } from 'express'

import { clientAddress } from '../client-address.ts'
import type { Reply } from '../handle-request.ts'
import type { Operator } from '../operator.ts'
import { subjectOf } from '../request-subject.ts'
import type { Answer, Route } from '../route.ts'
import type { Audit } from './audit.ts'

/** Every write, and every look at data of users. Reads of operator routes show none. */
const isAudited = ({ access, doc, method }: Pick<Route, 'access' | 'doc' | 'method'>): boolean => {
  const isReading = method === 'GET' || doc?.reads === true
  if (!isReading) return true
  return access !== 'admin' && access !== 'member' && doc?.impersonal !== true
}

const MAX_SUBJECT_CHARACTERS = 255

/** Returns what the path names beside environment and user: the last parameter. */
function pathSubject(params: Request['params']): string | undefined {
  const rest = Object.entries(params).filter(([name]) => name !== 'clientId' && name !== 'userId')
  const value = rest.at(-1)?.[1]
  // Postgres stores no NUL.
  return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, MAX_SUBJECT_CHARACTERS) : undefined
}

/**
 * @param operator - who calls; undefined: not an operator
 * @param work - executes the request
 */
export function auditRequest(
  { audit, trustedProxies }: { readonly audit: Audit; readonly trustedProxies: BlockList },
  operator: Pick<Operator, 'actor'> | undefined,
  route: Pick<Route, 'access' | 'doc' | 'method' | 'path'>,
  request: Request,
  reply: Pick<Reply, 'call'>,
  work: () => Promise<Answer>
): Promise<Answer> {
  if (operator === undefined || !isAudited(route)) return work()
  const { clientId } = request.params
  const call = {
    action: route.doc?.operationId ?? `${route.method} ${route.path}`,
    actor: operator.actor,
    address: clientAddress(request, trustedProxies),
    clientId: typeof clientId === 'string' ? clientId : undefined,
    method: request.method,
    route: route.path,
    subject: pathSubject(request.params),
    userDigest: subjectOf(request.params).userDigest
  }
  return audit.run(call, work, () => subjectOf(request.params, reply.call).userDigest)
}
