// A type that becomes quiet: what the inbox knows of the change in the preferences.

import type { Outcome } from './types.ts'

export interface QuietChange {
  readonly done: Promise<Outcome>
  /** Restores what the user had chosen. */
  takeBack(): Promise<Outcome>
}
