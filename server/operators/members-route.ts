// REST routes of members, for admins: who signed in, sign out everywhere, block.

import { isTrackingId } from '../core/id.ts'
import type { Db } from '../db/db.ts'
import { toCursor } from '../http/cursor.ts'
import { parseInput, parseQuery } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { ok, route, type CallOf, type Route } from '../http/route.ts'
import { listMembersDoc, signOutMemberDoc, updateMemberDoc } from './doc.ts'
import { changeBlock, listMembers, readMember, type MemberInfo } from './members.sql.ts'
import { memberPatch, membersQuery } from './schema.ts'
import { memberActor, type OpenSessions } from './sessions.ts'

const toWire = (member: MemberInfo) => {
  const { blockedAt, blockedBy, createdAt, email, id, issuer, lastSeenAt, name, role } = member
  return {
    actor: memberActor(member),
    id,
    name,
    ...(email !== null && { email }),
    role,
    signInBy: issuer === '' ? ('adminToken' as const) : ('oidc' as const),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    ...(blockedAt && { blockedAt: blockedAt.toISOString() }),
    ...(blockedBy !== null && { blockedBy })
  }
}

const notFound = (): Problem => new Problem('not-found', 'No member has this id.')

export const memberListRoutes = (db: Db, sessions: OpenSessions): Route[] => {
  /** @throws Problem `not-found` */
  const memberOf = async ({ params }: CallOf['admin']): Promise<MemberInfo> => {
    const id = params['memberId']!
    const member = isTrackingId(id) ? await readMember(db.control, id) : undefined
    if (!member) throw notFound()
    return member
  }

  return [
    route('GET', '/operators/members', 'admin', listMembersDoc, async ({ query }) => {
      const { count, cursor } = parseQuery(membersQuery, query)
      const found = await listMembers(db.control, cursor, count + 1)
      const shown = found.slice(0, count)
      return ok({
        members: shown.map(toWire),
        ...(found.length > count && { next: toCursor(shown.at(-1)!.id) })
      })
    }),

    route('PATCH', '/operators/members/:memberId', 'admin', updateMemberDoc, async call => {
      const { blocked } = parseInput(memberPatch, call.body)
      const member = await memberOf(call)
      if (blocked && member.issuer === '') {
        throw new Problem('conflict', 'The admin token cannot be blocked. Replace it: set NOTIF_ADMIN_TOKEN.')
      }
      if (blocked && memberActor(member) === call.operator) {
        throw new Problem('conflict', 'You cannot block yourself. Another admin can.')
      }
      const changed = await changeBlock(db.control, member.id, blocked ? call.operator : undefined)
      if (!changed) throw notFound()
      // Also when it is allowed again: a sign-in during the block may have left a session, which was not valid.
      await sessions.endAllOf(member.id)
      return ok(toWire(changed))
    }),

    route('DELETE', '/operators/members/:memberId/sessions', 'admin', signOutMemberDoc, async call => {
      const { id } = await memberOf(call)
      await sessions.endAllOf(id)
      return { status: 204 }
    })
  ]
}
