// Lists all routes, and mounts them behind the built files.

import express, { type Express } from 'express'

import { PEOPLE } from '../demo/people.ts'
import { auditRoutes } from './admin/audit-route.ts'
import { dashboardRoutes } from './admin/dashboard-route.ts'
import { firstStepsRoutes } from './admin/first-steps/route.ts'
import { healthRoutes } from './admin/health.ts'
import { metricsRoutes } from './admin/metrics-route.ts'
import type { Metrics } from './admin/metrics.ts'
import { settingsRoutes } from './admin/settings/route.ts'
import { statusRoutes } from './admin/status/route.ts'
import { bounceRoutes } from './channels/email/bounces/route.ts'
import type { Probes } from './channels/email/start-probes.ts'
import { probeRoutes } from './channels/probes/route.ts'
import { DELIVERABLE_CHANNELS } from './channels/registry.ts'
import { sandboxRoutes } from './channels/sandbox/route.ts'
import { slackRoutes } from './channels/slack/route.ts'
import { callbackRoutes } from './channels/sms-call/route.ts'
import type { Siblings } from './core/siblings.ts'
import type { UnsentBytes } from './core/unsent-bytes.ts'
import { demoRoutes, type DemoOptions } from './demo/route.ts'
import type { OpenApiKeys } from './environments/api-keys/api-keys.ts'
import { apiKeyRoutes } from './environments/api-keys/route.ts'
import type { Encryption } from './environments/encryption/encryption.ts'
import type { Keys } from './environments/encryption/keys.ts'
import { environmentRoutes } from './environments/route.ts'
import { taskRoutes } from './environments/tasks/route.ts'
import type { TaskKind } from './environments/tasks/task.ts'
import type { Audit } from './http/audit/audit.ts'
import { createHostCheck } from './http/host-check.ts'
import { createAliases } from './http/legacy-addresses.ts'
import { mount } from './http/mount.ts'
import { openApiRoute } from './http/openapi/route.ts'
import { withoutTrailingSlash } from './http/path-prefix.ts'
import type { RateLimit } from './http/rate-limits.ts'
import { problemsRoutes, referenceRoutes } from './http/reference/route.ts'
import type { Route } from './http/route.ts'
import { serveFiles } from './http/static-files.ts'
import type { LongPolls } from './inbox/live/long-polls.ts'
import { inboxRoutes } from './inbox/route.ts'
import { itemRoutes } from './inbox/updates/route.ts'
import { logRoutes } from './logs/route.ts'
import { tailRoutes } from './logs/tail/route.ts'
import { typeLogRoutes } from './logs/types/route.ts'
import { userOverviewRoutes } from './logs/user/route.ts'
import { memberRoutes } from './operators/route.ts'
import type { OpenSessions } from './operators/sessions.ts'
import { previewRoutes } from './preview/route.ts'
import { sentContentRoutes } from './preview/sent/route.ts'
import { simulateRoutes } from './preview/simulate/route.ts'
import type { Context } from './process/context.ts'
import { VERSION } from './process/version.ts'
import { deadLetterRoutes } from './queue/dead-letters/route.ts'
import { deadLetterTasks } from './queue/dead-letters/tasks.ts'
import { pauseRoutes } from './queue/pauses/route.ts'
import { queueStatusRoutes } from './queue/status/route.ts'
import { createAfterRead } from './send/after-read/after-read.ts'
import { broadcastTask } from './send/broadcast/broadcast-task.ts'
import { retractTask } from './send/broadcast/retract-task.ts'
import { broadcastRoutes } from './send/broadcast/route.ts'
import type { SendModule } from './send/send-module.ts'
import { partialRoutes } from './types/partials/route.ts'
import { promotionRoutes } from './types/promotion/route.ts'
import { typeRoutes } from './types/route.ts'
import { subNotificationRoutes } from './types/sub-notifications/route.ts'
import { versionRoutes } from './types/versions/route.ts'
import { preferencesLinkRoutes } from './users/link-pages/preferences-route.ts'
import { unsubscribeRoutes } from './users/link-pages/unsubscribe-route.ts'
import { preferenceRoutes } from './users/preferences/route.ts'
import { privacyRoutes } from './users/privacy/route.ts'
import { userTaskRoutes } from './users/privacy/task-route.ts'
import { userTasks } from './users/privacy/user-tasks.ts'
import { userRoutes } from './users/route.ts'
import { topicRoutes } from './users/topics/route.ts'
import { userTopicRoutes } from './users/topics/user-route.ts'

export interface AppParts {
  readonly context: Context
  readonly keys: Keys
  readonly metrics: Metrics
  readonly encryption: Encryption
  readonly sender: SendModule
  readonly audit: Audit
  readonly addressLimit: RateLimit
  readonly siblings: Siblings | undefined
  readonly apiKeys: OpenApiKeys
  readonly sessions: OpenSessions
  readonly unsent: UnsentBytes
  readonly longPolls: LongPolls
  readonly dist: string
  /** Undefined if this process shows no demo page. */
  readonly demo: DemoOptions | undefined
  readonly draining: () => boolean
  /** Looks for a task at once, if this process works on tasks. */
  readonly wakeTasks: () => void
  /** The checks of the mail server; undefined in a process without workers. */
  readonly probes?: Probes | undefined
}

/** Kinds of long work. A new kind stands here. */
export const taskKinds = (context: Context): readonly TaskKind[] => [
  ...deadLetterTasks(context),
  ...userTasks(context),
  broadcastTask(context, DELIVERABLE_CHANNELS) as TaskKind,
  retractTask(context) as TaskKind
]

/** Routes of every process, whatever its role. */
const operatorRoutes = ({ context, keys, metrics, draining, probes }: AppParts): Route[] => [
  ...healthRoutes(context.db, {
    draining,
    probes: () => probes?.results() ?? [],
    paused: () => context.queues.paused()
  }),
  ...queueStatusRoutes(context.db, context.queues),
  ...metricsRoutes(metrics, { admin: keys.adminTokenHash, own: context.config.metricsToken })
]

/** All routes. A test walks this list with every wrong credential. */
export function appRoutes(parts: AppParts): Route[] {
  const own = featureRoutes(parts)
  const routes = [...own, ...createAliases(own)]
  const { publicUrl = '' } = parts.context.config
  const openApi = openApiRoute(routes, { server: withoutTrailingSlash(publicUrl), version: VERSION })
  return [
    ...routes,
    openApi.route,
    ...referenceRoutes(openApi.read, parts.demo && PEOPLE.map(({ id }) => id))
  ]
}

const featureRoutes = (parts: AppParts, afterRead = createAfterRead(parts.context.db)): Route[] => [
  ...operatorRoutes(parts),
  ...problemsRoutes(),
  ...auditRoutes(parts.context.db),
  ...memberRoutes({
    ...parts.context,
    adminTokenHash: parts.keys.adminTokenHash,
    audit: parts.audit,
    encryption: parts.encryption,
    sessions: parts.sessions
  }),
  ...dashboardRoutes(parts.context.config, parts.dist),
  ...environmentRoutes(parts.context, {
    firstId: parts.keys.clientId,
    encryption: parts.encryption,
    isFirstSecretSet: parts.context.config.clientSecret !== undefined
  }),
  ...apiKeyRoutes(parts.context.db, parts.apiKeys),
  ...userRoutes(parts.context, { encryption: parts.encryption, vapidPublicKey: parts.keys.vapid.publicKey }),
  ...slackRoutes({ ...parts.context, encryption: parts.encryption }),
  ...typeRoutes(parts.context),
  ...versionRoutes(parts.context),
  ...promotionRoutes(parts.context),
  ...partialRoutes(parts.context),
  ...previewRoutes(parts.context),
  ...subNotificationRoutes(parts.context),
  ...preferenceRoutes(parts.context),
  ...topicRoutes(parts.context),
  ...userTopicRoutes(parts.context),
  ...privacyRoutes(parts.context),
  ...parts.sender.routes,
  ...simulateRoutes(parts.context, DELIVERABLE_CHANNELS),
  ...inboxRoutes(parts.context, { afterRead, longPolls: parts.longPolls }),
  ...itemRoutes(parts.context, afterRead),
  ...logRoutes(parts.context),
  ...tailRoutes(parts.context.clock, parts.encryption),
  ...typeLogRoutes(parts.context),
  ...statusRoutes(parts.context),
  ...firstStepsRoutes(parts.context),
  ...settingsRoutes(parts.context),
  ...pauseRoutes(parts.context),
  ...probeRoutes({ ...parts.context, encryption: parts.encryption, vapid: parts.keys.vapid }, () =>
    parts.probes?.repeat()
  ),
  ...userOverviewRoutes(parts.context),
  ...sentContentRoutes(parts.context),
  ...deadLetterRoutes(parts.context),
  ...taskRoutes({
    ...parts.context,
    audit: parts.audit,
    kinds: taskKinds(parts.context),
    wake: parts.wakeTasks
  }),
  ...userTaskRoutes(parts.context, { wake: parts.wakeTasks }),
  ...broadcastRoutes(parts.context, {
    audit: parts.audit,
    providers: DELIVERABLE_CHANNELS,
    wake: parts.wakeTasks
  }),
  ...callbackRoutes(parts.context),
  ...bounceRoutes(parts.context, parts.encryption),
  ...unsubscribeRoutes(parts.context, parts.encryption),
  ...preferencesLinkRoutes(parts.context, parts.encryption),
  ...sandboxRoutes({
    adminTokenHash: parts.keys.adminTokenHash,
    audit: parts.audit,
    clientId: parts.keys.clientId,
    db: parts.context.db,
    isOpenHost: parts.demo && createHostCheck(parts.context.config)
  }),
  ...(parts.demo ? demoRoutes(parts.context, parts.demo) : [])
]

export function createApp(parts: AppParts): Express {
  const { context, keys, metrics, dist } = parts
  const app = express()
  const worker = context.config.role === 'worker'
  if (!worker) app.use(serveFiles(dist))
  mount(app, worker ? operatorRoutes(parts) : appRoutes(parts), {
    addressLimit: parts.addressLimit,
    siblings: parts.siblings,
    adminTokenHash: keys.adminTokenHash,
    apiKeys: parts.apiKeys,
    audit: parts.audit,
    config: context.config,
    environments: context.environments,
    log: context.log,
    observe: metrics.recordRequest,
    sessions: parts.sessions,
    unsent: parts.unsent
  })
  return app
}
