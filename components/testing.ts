// Public entry for tests of pages that use the kit: an inbox in memory that behaves like the server.

export { memoryInbox, type MemoryInbox, type MemoryOptions } from './transport/memory.ts'
