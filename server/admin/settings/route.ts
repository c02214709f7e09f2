// GET /settings: the settings of this process without their secrets, for operators.

import { listSettings, type Config } from '../../config/config.ts'
import { ok, route, type Route } from '../../http/route.ts'
import { settingsDoc } from './doc.ts'
import { findWarnings } from './warnings.ts'

export const settingsRoutes = ({ config }: { readonly config: Config }): Route[] => [
  route('GET', '/settings', 'admin', settingsDoc, async () =>
    ok({ settings: listSettings(config), warnings: findWarnings(config) })
  )
]
