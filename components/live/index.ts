// What a page fetches when it connects: the store with its counters, the transport, and the page as environment.

export { surroundings } from './browser.ts'
export { openTransport } from './create-transport.ts'
export { createLateStore } from './lazy-store.ts'
