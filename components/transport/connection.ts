// What connects a page, in one piece: its way to the server, and the page as surroundings.

export { surroundings } from './browser.ts'
export { openTransport } from './open.ts'
