// Why a process does not start, in words for its operator. Any other error is a bug and shows its stack.

/** The message says what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
