// The form of a client id, which is the first segment of the paths of its environment.

export const CLIENT_ID = /^[A-Za-z0-9._~-]{1,255}$/

/** Words that are the first segment of other paths, so no client id can have them. */
const RESERVED_IDS = new Set([
  'admin',
  'assets',
  'audit',
  'queues',
  'callbacks',
  'demo',
  'docs',
  'environments',
  'healthz',
  'img',
  'metrics',
  'openapi.json',
  'operators',
  'preferences',
  'problems',
  'readyz',
  'sandbox',
  'settings',
  'socket.io',
  'unsubscribe',
  'user',
  'users',
  'ws'
])

export const RESERVED_ID = 'This word is reserved for a path of the server. Choose another client id.'

export const isReservedId = (id: string): boolean => RESERVED_IDS.has(id.toLowerCase()) || /^\.+$/.test(id)
