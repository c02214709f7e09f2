// Attacks that were tried against a running server and failed, by class. test/security/README.md has their numbers.

import { authorisation, caching, csrf, replay } from './access.ts'
import { ssrf, traversal } from './addresses.ts'
import type { Attack } from './attempt.ts'
import { injection, pollution } from './content.ts'
import { exhaustion, jsonBombs, slowTexts, smuggling } from './load.ts'

export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'Authorisation across environments and users': authorisation,
  'Cache poisoning': caching,
  'Cross-site requests': csrf,
  'Header, log, SQL and script injection': injection,
  'JSON bombs': jsonBombs,
  'Path traversal': traversal,
  'Prototype pollution': pollution,
  Replay: replay,
  'Request smuggling': smuggling,
  'Resource exhaustion': exhaustion,
  'Server-side requests (SSRF)': ssrf,
  'Slow texts (ReDoS)': slowTexts
}
