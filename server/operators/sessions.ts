// Opens, finds and ends sessions. Every request with a cookie reads the cache; guessed cookies are not cached, and share statements.

import { randomBytes } from 'node:crypto'

import type { Clock } from '../core/clock.ts'
import { sha256 } from '../core/hash.ts'
import { uuidv7 } from '../core/id.ts'
import { createTtlCache, NO_CACHE, SHORT_CACHE } from '../core/ttl-cache.ts'
import type { Db } from '../db/db.ts'
import { coalesce } from '../environments/shared-reads.ts'
import { adminActor } from '../http/audit/audit.ts'
import type { Member, Session, Sessions } from '../http/session.ts'
import { findMember, storeMember, type Identity, type MemberInfo } from './members.sql.ts'
import {
  deleteByHash,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  readSessions,
  type ValidSession
} from './sessions.sql.ts'

/** A session ends after so long, however much it is used. */
export const SESSION_SECONDS = 12 * 3600

const COOKIE_BYTES = 32
/** Members belong to no user, so their ids name no bucket. */
const NO_PLACEMENT = 0
const MAX_BROWSER_CHARACTERS = 300

export interface SignIn {
  /** See {@link OpenSessions.nameOf}. */
  readonly id: string
  readonly identity: Identity
  /** Address of the client. */
  readonly address: string
  /** Value of User-Agent. */
  readonly browser: string | undefined
  /** A session that this browser had before, which ends. */
  readonly previousCookie: string | undefined
}

export interface SignedIn {
  readonly cookie: string
  readonly session: Session
}

/** A member as the audit log names it. */
export interface NamedMember {
  readonly id: string
  readonly actor: string
}

type Person = Pick<Identity, 'issuer' | 'subject'>

export interface OpenSessions extends Sessions {
  /** Names the member who is about to sign in: by a new id, if nobody signed in by this identity yet. Stores nothing. */
  nameOf(person: Person): Promise<NamedMember>
  findMember(person: Person): Promise<MemberInfo | undefined>
  /** Always a new session with a new cookie. @returns undefined if the member is blocked */
  signIn(signIn: SignIn): Promise<SignedIn | undefined>
  /** @param memberId - undefined: the session of any member. @returns whether there was one */
  end(id: string, memberId: string | undefined): Promise<boolean>
  endAllOf(memberId: string): Promise<number>
}

/** Name of a member in the audit log: the same as that of calls with the admin token, or the id. */
export const memberActor = ({ id, issuer, subject }: Pick<MemberInfo, 'id' | 'issuer' | 'subject'>): string =>
  issuer === '' ? subject : `member:${id}`

const toMember = (info: Pick<MemberInfo, 'id' | 'issuer' | 'name' | 'role' | 'subject'>): Member => ({
  actor: memberActor(info),
  id: info.id,
  name: info.name,
  role: info.role
})

export interface SessionOptions {
  readonly adminTokenHash: Buffer
  /** Of the OpenID provider in the settings. */
  readonly issuer: string | undefined
}

/** @param clock - of the database, which compares the times */
export function openSessions(
  db: Db,
  clock: Clock,
  { adminTokenHash, issuer: configuredIssuer }: SessionOptions
): OpenSessions {
  const readSession = coalesce((hashes: readonly string[]) => readSessions(db, hashes))
  const cache = createTtlCache(readSession, session => (session ? SHORT_CACHE : NO_CACHE), clock)
  const forget = (hash: Buffer): void => cache.forget(hash.toString('hex'))

  /** Sessions end with the admin token or the provider that opened them. */
  const isCurrent = ({ expiresAt, issuer, subject }: ValidSession): boolean =>
    clock() < expiresAt.getTime() &&
    (issuer === '' ? subject === adminActor(adminTokenHash) : issuer === configuredIssuer)

  return {
    findMember: person => findMember(db.control, person),
    async nameOf(person) {
      const known = await findMember(db.control, person)
      const id = known?.id ?? uuidv7(NO_PLACEMENT, clock())
      return { actor: memberActor({ ...person, id }), id }
    },
    async find(cookie) {
      const found = await cache.get(sha256(cookie).toString('hex'))
      if (!found || !isCurrent(found)) return undefined
      const { expiresAt, id, memberId } = found
      return { expiresAt, id, member: toMember({ ...found, id: memberId }) }
    },
    async signIn({ address, browser = '', id: memberId, identity, previousCookie }) {
      const member = await storeMember(db.control, memberId, identity)
      if (member.blockedAt) return undefined
      const cookie = randomBytes(COOKIE_BYTES).toString('base64url')
      const id = uuidv7(NO_PLACEMENT, clock())
      const expiresAt = await insertSession(db.control, {
        address,
        browser: browser.replaceAll('\0', '').slice(0, MAX_BROWSER_CHARACTERS),
        hash: sha256(cookie),
        id,
        memberId: member.id,
        seconds: SESSION_SECONDS
      })
      if (previousCookie !== undefined) {
        const hash = sha256(previousCookie)
        await deleteByHash(db.control, hash)
        forget(hash)
      }
      return { cookie, session: { expiresAt, id, member: toMember(member) } }
    },
    async end(id, memberId) {
      const hash = await deleteSession(db.control, id, memberId)
      if (hash) forget(hash)
      return hash !== undefined
    },
    async endAllOf(memberId) {
      const hashes = await deleteSessionsOf(db.control, memberId)
      for (const hash of hashes) forget(hash)
      return hashes.length
    }
  }
}
