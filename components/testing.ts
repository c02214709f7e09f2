// Public entry for tests of pages that use the kit: an inbox in memory that behaves as the server's, without a network.

export { memoryInbox, type MemoryInbox, type MemoryOptions } from './transport/memory.ts'
