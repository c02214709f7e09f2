// notif-kit/testing/server: the entry that tests of a back end import.

export { openSandbox, type KeptMessage, type Sandbox, type SandboxWish } from './sandbox.ts'
export { startNotifServer, type NotifServer, type ServerOptions } from './start.ts'
