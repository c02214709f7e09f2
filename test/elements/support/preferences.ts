// The preferences of the demo, where tests expect them.

export * from '../../../demo/harbour-preferences.ts'
