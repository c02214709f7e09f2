// The error of a start that the operator can repair. Any other error of a start is a bug and shows its stack.

/** The message names the setting or resource, what is wrong, and what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
