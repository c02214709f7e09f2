// What is tried before the first mail: the mail server, and the key that mails are signed with.

export interface Probe {
  readonly probe: 'smtp' | 'dkim'
  /** `warning`: mail goes out, perhaps not as it was meant. */
  readonly state: 'ok' | 'warning' | 'failed'
  /** For the operator; no address and no secret, because /readyz shows it to everybody. */
  readonly words: string
}
