// The one list of routes, and the order in which a request meets files and routes.

import express, { type Express } from 'express'

import { healthRoutes } from './admin/health.ts'
import { metricsRoutes } from './admin/metrics-route.ts'
import type { Metrics } from './admin/metrics.ts'
import { bounceRoutes } from './channels/email/bounces/route.ts'
import type { Probe } from './channels/email/probe/probe.ts'
import { DELIVERABLE } from './channels/registry.ts'
import { sandboxRoutes } from './channels/sandbox/route.ts'
import { slackRoutes } from './channels/slack/route.ts'
import { callBackRoutes } from './channels/sms-call/route.ts'
import { demoRoutes, type DemoOptions } from './demo/route.ts'
import type { Seal } from './environments/encryption/encryption.ts'
import type { Keys } from './environments/encryption/keys.ts'
import { environmentRoutes } from './environments/route.ts'
import { aliasesOf } from './http/alias.ts'
import { checkName } from './http/host-check.ts'
import { mount } from './http/mount.ts'
import { openApiRoutes } from './http/openapi/route.ts'
import { baseOf } from './http/path-prefix.ts'
import { problemsRoutes } from './http/problems-page.ts'
import type { Route } from './http/route.ts'
import { serveFiles } from './http/static-files.ts'
import { inboxRoutes } from './inbox/route.ts'
import { logRoutes } from './logs/route.ts'
import { previewRoutes } from './preview/route.ts'
import { simulateRoutes } from './preview/simulate/route.ts'
import type { Kit } from './process/context.ts'
import { VERSION } from './process/version.ts'
import { deadLetterRoutes } from './queue/dead-letters/route.ts'
import type { Sender } from './send/send-module.ts'
import { pieceRoutes } from './types/partials/route.ts'
import { typeRoutes } from './types/route.ts'
import { subNotificationRoutes } from './types/sub-notifications/route.ts'
import { preferencesLinkRoutes } from './users/link-pages/preferences-route.ts'
import { unsubscribeRoutes } from './users/link-pages/unsubscribe-route.ts'
import { preferenceRoutes } from './users/preferences/route.ts'
import { holdingRoutes } from './users/privacy/route.ts'
import { userRoutes } from './users/route.ts'

export interface AppParts {
  readonly kit: Kit
  readonly keys: Keys
  readonly metrics: Metrics
  readonly seal: Seal
  readonly sender: Sender
  /** Folder of the built files. */
  readonly dist: string
  /** Undefined: no demo page. */
  readonly demo: DemoOptions | undefined
  readonly draining: () => boolean
  /** What the last tries of e-mail came to. */
  readonly probes?: (() => readonly Probe[]) | undefined
}

/** What every process answers, whatever its role. */
const operatorRoutes = ({ kit, keys, metrics, draining, probes = () => [] }: AppParts): Route[] => [
  ...healthRoutes(kit.db, { draining, probes, resting: () => kit.lanes.resting() }),
  ...metricsRoutes(metrics, { admin: keys.adminTokenHash, own: kit.config.metricsToken })
]

/** All of them; a test walks this list with every wrong credential. */
export function appRoutes(parts: AppParts): Route[] {
  const own = featureRoutes(parts)
  const routes = [...own, ...aliasesOf(own)]
  const { publicUrl = '' } = parts.kit.config
  return [...routes, ...openApiRoutes(routes, { server: baseOf(publicUrl), version: VERSION })]
}

const featureRoutes = (parts: AppParts): Route[] => [
  ...operatorRoutes(parts),
  ...problemsRoutes(),
  ...environmentRoutes(parts.kit, {
    first: parts.keys.clientId,
    seal: parts.seal,
    secretIsSet: parts.kit.config.clientSecret !== undefined
  }),
  ...userRoutes(parts.kit, { seal: parts.seal, vapidPublicKey: parts.keys.vapid.publicKey }),
  ...slackRoutes({ ...parts.kit, seal: parts.seal }),
  ...typeRoutes(parts.kit),
  ...pieceRoutes(parts.kit),
  ...previewRoutes(parts.kit),
  ...subNotificationRoutes(parts.kit),
  ...preferenceRoutes(parts.kit),
  ...holdingRoutes(parts.kit),
  ...parts.sender.routes,
  ...simulateRoutes(parts.kit, DELIVERABLE),
  ...inboxRoutes(parts.kit),
  ...logRoutes(parts.kit),
  ...deadLetterRoutes(parts.kit),
  ...callBackRoutes(parts.kit),
  ...bounceRoutes(parts.kit, parts.seal),
  ...unsubscribeRoutes(parts.kit, parts.seal),
  ...preferencesLinkRoutes(parts.kit, parts.seal),
  ...sandboxRoutes({
    adminTokenHash: parts.keys.adminTokenHash,
    clientId: parts.keys.clientId,
    db: parts.kit.db,
    open: parts.demo && checkName(parts.kit.config),
    pageBytes: parts.kit.config.sandboxPageBytes
  }),
  ...(parts.demo ? demoRoutes(parts.kit, parts.demo) : [])
]

export function createApp(parts: AppParts): Express {
  const { kit, keys, metrics, dist } = parts
  const app = express()
  const worker = kit.config.role === 'worker'
  if (!worker) app.use(serveFiles(dist, kit.config.readerSeconds * 1000))
  mount(app, worker ? operatorRoutes(parts) : appRoutes(parts), {
    adminTokenHash: keys.adminTokenHash,
    config: kit.config,
    environments: kit.environments,
    log: kit.log,
    observe: metrics.request
  })
  return app
}
