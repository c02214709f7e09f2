// The service worker for web push. It handles no requests of pages.

import { onChange, onClick, onClose, onPush } from './handlers.ts'

declare const self: ServiceWorkerGlobalScope

/** TypeScript has no type for this event. */
interface ChangeEvent extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}

const { clients, registration, location } = self

// A new version replaces the old one immediately, because the worker has no state.
self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(clients.claim()))
self.addEventListener('push', event => event.waitUntil(onPush(registration, clients, event.data?.text())))
self.addEventListener('notificationclick', event =>
  event.waitUntil(onClick(event.notification, clients, location.origin))
)
self.addEventListener('notificationclose', event => event.waitUntil(onClose(event.notification, clients)))
self.addEventListener('pushsubscriptionchange', event => {
  const { oldSubscription, newSubscription } = event as ChangeEvent
  const changed = onChange(registration, clients, oldSubscription, newSubscription)
  ;(event as ChangeEvent).waitUntil(changed)
})
