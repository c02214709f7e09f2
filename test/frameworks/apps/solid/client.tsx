// The half of the page: it takes over the elements that are there.

import type { KitConfig } from 'notif-kit'
import { hydrate } from 'solid-js/web'

import { App } from './App.tsx'

declare const session: KitConfig

hydrate(() => <App session={session} />, document.querySelector('#app')!)
