// Checks the types for Vue and Svelte templates. This file is only compiled.

import 'notif-kit/svelte'
import 'notif-kit/vue'
import type { SvelteHTMLElements } from 'svelte/elements'
import type { GlobalComponents } from 'vue'

type VueProps = InstanceType<GlobalComponents['notif-popup']>['$props']
type SvelteProps = SvelteHTMLElements['notif-popup']

export const vue: VueProps = {
  onNotifSelect: event => event.detail.item.title,
  'page-size': '5',
  pageSize: 5
}
// Vue looks up `page-size="5"` and `new-tab="true"` under these names.
export const textsVue: VueProps = { newTab: 'true', pageSize: '5', slot: 'aside' }
export const svelte: SvelteProps = { class: 'bell', 'onnotif-select': event => event.detail.item.title }
// @ts-expect-error: no such mode
export const wrongVue: VueProps = { count: 'COUNT_EVERYTHING' }
// @ts-expect-error: no such mode
export const wrongSvelte: SvelteProps = { count: 'COUNT_EVERYTHING' }

type Provider = InstanceType<GlobalComponents['notif-provider']>['$props']
export const heard: Provider = { onNotifNewNotifications: event => event.detail.notifications.length }
// @ts-expect-error: Vue would listen for an event "new-notifications"
export const deafVue: Provider = { onNewNotifications: () => {} }
// @ts-expect-error: Svelte would listen for an event "NewNotifications"
export const deafSvelte: SvelteHTMLElements['notif-provider'] = { onNewNotifications: () => {} }
