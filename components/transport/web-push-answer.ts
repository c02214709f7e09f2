// Where a browser remembers that somebody has answered whether it shall show notifications: as the hosted product has it,
// so that people who have answered there are not asked again.

export const ANSWERED = 'hideWebPushOptInMessage'
