// What the programs are given, and what they see.

export interface Settings {
  readonly adminToken: string
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** An instant for a schedule. */
  readonly later: string
  /** A user of this program alone. */
  readonly userId: string
}

/** Values that the generated types know. */
export interface Outcome {
  readonly delivery: 'off' | 'instant' | 'hourly' | 'daily' | 'weekly' | 'monthly' | undefined
  readonly environment: string | undefined
  readonly exportsUser: boolean | undefined
  readonly problem: number | undefined
  readonly routing: string | undefined
  readonly schedule: string | undefined
  readonly title: string | undefined
}
