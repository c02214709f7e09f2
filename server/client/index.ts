// notif-kit/client: what back-ends import.

export { createClient, type ClientSettings, type NotifClient } from './client.ts'
export { NotifProblem, NotifUnreachable, type FieldProblem } from './problem.ts'
export type { CallOptions, Patience } from './ask.ts'
export type * from './content.ts'
export type * from './words.ts'
export type * from './send.ts'
export type * from './users.ts'
export type * from './preferences.ts'
export type * from './in-app.ts'
export type * from './schedules.ts'
export type * from './logs.ts'
export type * from './types.ts'
