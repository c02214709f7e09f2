// POST /:clientId/simulate, for back-ends: what would be delivered, when and why. Nothing is written.

import type { Channel } from '#protocol'

import { route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { besidesFiles } from '../../send/attachments/inline-files.ts'
import { simulateDoc } from './doc.ts'
import { simulate } from './simulate.ts'
import { readSituation } from './situation.ts'

export const simulateRoutes = (context: Context, providers: ReadonlySet<Channel>): Route[] => [
  {
    ...route('POST', '/:clientId/simulate', 'back-end', simulateDoc, async ({ body, env }) => ({
      body: await simulate(context, await readSituation(context, env, body, context.clock()), providers),
      status: 200
    })),
    besidesFiles
  }
]
