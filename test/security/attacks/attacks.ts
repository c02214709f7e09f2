// Attacks that were tried against a running server and failed, by class. test/security/README.md has their numbers.

import { authorisation, caching, csrf, replay } from './access.ts'
import { ssrf, traversal } from './addresses.ts'
import { apiKeys } from './api-keys.ts'
import type { Attack } from './attempt.ts'
import { injection, pollution } from './content.ts'
import { buttons, times, undoTokens, updates, views } from './inbox.ts'
import { exhaustion, jsonBombs, slowTexts, smuggling } from './load.ts'
import { signIns } from './sign-in.ts'

export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'API keys': apiKeys,
  'Authorisation across environments and users': authorisation,
  'Cache poisoning': caching,
  'Cross-site requests': csrf,
  'Header, log, SQL and script injection': injection,
  'Inbox: buttons and replies': buttons,
  'Inbox: clocks of clients': times,
  'Inbox: undo tokens': undoTokens,
  'Inbox: updates of notifications': updates,
  'Inbox: views and counts': views,
  'JSON bombs': jsonBombs,
  'Path traversal': traversal,
  'Prototype pollution': pollution,
  Replay: replay,
  'Request smuggling': smuggling,
  'Resource exhaustion': exhaustion,
  'Server-side requests (SSRF)': ssrf,
  'Sign-in of operators': signIns,
  'Slow texts (ReDoS)': slowTexts
}
