// The small world of the demo, where tests expect it.

export * from '../../../demo/harbour.ts'
