// A text as XML that is spoken: whatever it holds, it is heard as text and never read as a command.

const NAMES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&apos;',
  '<': '&lt;',
  '>': '&gt;'
}

/** Characters that XML 1.0 cannot hold are left out (2.2). */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/["&'<>]/g, sign => NAMES[sign]!)

/** @param verb - `Say` at Twilio, `Speak` at Plivo */
export const speech = (verb: 'Say' | 'Speak', text: string, language: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response><${verb} language="${escapeXml(language)}">${escapeXml(text)}</${verb}></Response>`
