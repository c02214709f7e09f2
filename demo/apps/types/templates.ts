// Vue and Svelte: the types that their compilers look up; only compiled.

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
export const svelte: SvelteProps = { class: 'bell', 'onnotif-select': event => event.detail.item.title }
// @ts-expect-error: no such mode
export const wrongVue: VueProps = { count: 'COUNT_EVERYTHING' }
// @ts-expect-error: no such mode
export const wrongSvelte: SvelteProps = { count: 'COUNT_EVERYTHING' }
