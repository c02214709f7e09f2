// Everything that the page, the service worker and the server agree on. No DOM, no Node, no imports from elsewhere.

export * from './channel.ts'
export * from './check.ts'
export * from './count.ts'
export * from './content.ts'
export * from './frame.ts'
export * from './inbox.ts'
export * from './notif.ts'
export * from './patch.ts'
export * from './pause.ts'
export * from './preferences.ts'
