// The half of the server: what a page begins with.

import type { KitConfig } from 'notif-kit'
import { generateHydrationScript, renderToString } from 'solid-js/web'

import { App } from './App.tsx'

export const render = (session: KitConfig): string =>
  `${generateHydrationScript()}<div id="app">${renderToString(() => <App session={session} />)}</div>`
