// Public entry of the headless store.

export { createNotifStore } from './create-store.ts'
export type { NotifContext } from './context.ts'
export type * from '../store/types.ts'
export type { Environment, Signal } from '../store/environment.ts'
export { TransportError, type Identity, type LiveEvent, type Transport } from '../store/transport.ts'
