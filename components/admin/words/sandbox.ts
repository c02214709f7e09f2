// The texts of the sandbox.

export const sandboxWords = {
  empty: 'The sandbox is empty',
  intro: 'Channels without a provider keep their messages here instead of sending them.',
  kept: (recipient: string) => `kept, for ${recipient}`,
  messages: 'Messages',
  older: 'Older',
  open: 'Sources and headers',
  why: 'Look why it was sent'
} as const
