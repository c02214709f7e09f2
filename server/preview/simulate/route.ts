// The route of simulations: POST /:clientId/simulate, for back ends. Nothing is written.

import type { Channel } from '#protocol'

import { ok, route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { bytesWithoutFiles } from '../../send/attachments/attachment.ts'
import { simulateDoc } from './doc.ts'
import { readSimulation } from './read-simulation.ts'
import { simulate } from './simulate.ts'

export const simulateRoutes = (context: Context, providers: ReadonlySet<Channel>): Route[] => [
  {
    ...route('POST', '/:clientId/simulate', 'back-end', simulateDoc, async call => {
      const simulation = await readSimulation(context, call.env, call.body, context.clock())
      return ok(await simulate(context, simulation, providers, call))
    }),
    besidesFiles: bytesWithoutFiles
  }
]
