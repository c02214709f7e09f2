// The texts of the first steps.

export const firstRunWords = {
  ask: 'Ask why',
  askWhy: 'Every send has a page that says what each channel did and by which rule.',
  bell: 'Put the bell into your page',
  bellWhy: 'One script tag and one element.',
  channels: 'Connect a channel',
  channelsWhy: 'Until then messages are kept in the sandbox, where you can read them.',
  copied: 'Copied',
  done: 'Done: ',
  inbox: (user: string) => `The inbox of ${user}`,
  intro: 'Three steps to a notification that you can see and explain. Then the channels.',
  live: 'Live',
  lookWhy: 'Open the page of this send',
  runs: 'The server runs',
  runsWhy: (clientId: string) => `The environment ${clientId} is ready. In app needs nothing else.`,
  see: 'See it arrive',
  seeWhy: 'It appears beside this list, live, and in the inbox below; that inbox is real.',
  seen: 'It came, and went into the inbox beside this list.',
  send: 'Send something',
  sendWhy: 'From any shell, with the client secret of this environment.',
  title: 'Your first five minutes',
  waits: 'Waits for the first send'
} as const
