// The texts of the row that offers web push.

export const pushMessages = {
  pushTitle: 'Also when this page is closed?',
  pushYes: 'Turn on',
  pushNo: 'Not now',
  pushOn: 'On in this browser.',
  /** Opens the preferences. */
  pushChoose: 'Choose which',
  pushBlocked: 'Blocked for this site.',
  /** Shows `pushHowText`. */
  pushHow: 'How to allow',
  pushHowText: 'Open the settings of this site beside the address, and allow notifications.',
  pushFailed: 'That did not work.'
}
