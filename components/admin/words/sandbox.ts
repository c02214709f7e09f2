// The texts of the sandbox.

export const sandboxWords = {
  columns: ['When', 'Channel', 'Type', 'User', 'Says'],
  empty: 'The sandbox is empty',
  older: 'Older',
  open: 'Look at them in full',
  why: 'Channels without a provider keep their messages here instead of sending them.'
} as const
