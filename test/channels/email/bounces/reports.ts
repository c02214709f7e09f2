// Delivery status reports in the formats of real mail servers. `{to}` is the return path, `{rcpt}` the recipient that failed.

const lines = (...text: readonly string[]): string => `${text.join('\r\n')}\r\n`

export const POSTFIX = lines(
  'Return-Path: <>',
  'Date: Sat, 21 Nov 2026 10:00:00 +0000 (UTC)',
  'From: MAILER-DAEMON@mx.example.net (Mail Delivery System)',
  'Subject: Undelivered Mail Returned to Sender',
  'To: {to}',
  'Auto-Submitted: auto-replied',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status;',
  '\tboundary="4Rz1x2.1/mx.example.net"',
  'Message-Id: <20261121100000.1@mx.example.net>',
  '',
  'This is a MIME-encapsulated message.',
  '',
  '--4Rz1x2.1/mx.example.net',
  'Content-Description: Notification',
  'Content-Type: text/plain; charset=us-ascii',
  '',
  'This is the mail system at host mx.example.net.',
  '',
  '<{rcpt}>: host mail.example.org[192.0.2.1] said: 550 5.1.1 <{rcpt}>: no such',
  '    mailbox (in reply to RCPT TO command)',
  '',
  '--4Rz1x2.1/mx.example.net',
  'Content-Description: Delivery report',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example.net',
  'X-Postfix-Queue-ID: 4Rz1x2',
  'Arrival-Date: Sat, 21 Nov 2026 10:00:00 +0000 (UTC)',
  '',
  'Final-Recipient: rfc822; {rcpt}',
  'Original-Recipient: rfc822;{rcpt}',
  'Action: failed',
  'Status: 5.1.1',
  'Remote-MTA: dns; mail.example.org',
  'Diagnostic-Code: smtp; 550 5.1.1 <{rcpt}>: no such',
  '    mailbox',
  '',
  '--4Rz1x2.1/mx.example.net',
  'Content-Description: Undelivered Message Headers',
  'Content-Type: text/rfc822-headers',
  '',
  'Return-Path: <{to}>',
  'To: {rcpt}',
  'Subject: Hello',
  '',
  '--4Rz1x2.1/mx.example.net--'
)

/** Exchange: HTML beside the text, `RFC822` in capitals, a status with a comment, no original recipient. */
export const EXCHANGE = lines(
  'From: <postmaster@contoso.example>',
  'To: <{to}>',
  'Date: Sat, 21 Nov 2026 10:00:00 +0000',
  'Content-Type: multipart/report; report-type=delivery-status;',
  '\tboundary="9d1e_outer"',
  'X-MS-Exchange-Message-Is-Ndr:',
  'Content-Language: de-DE',
  'Subject: Unzustellbar: Hallo',
  'Auto-Submitted: auto-replied',
  '',
  '--9d1e_outer',
  'Content-Type: multipart/alternative; differences=Content-Type; boundary="9d1e_inner"',
  '',
  '--9d1e_inner',
  'Content-Type: text/plain; charset="utf-8"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('Die Nachricht konnte nicht zugestellt werden.').toString('base64'),
  '--9d1e_inner',
  'Content-Type: text/html; charset="utf-8"',
  '',
  '<p>Die Nachricht konnte nicht zugestellt werden.</p>',
  '--9d1e_inner--',
  '',
  '--9d1e_outer',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns;EX01.contoso.example',
  'Received-From-MTA: dns;mx.example.net',
  'Arrival-Date: Sat, 21 Nov 2026 10:00:00 +0000',
  '',
  'Final-Recipient: RFC822; {rcpt}',
  'Action: Failed',
  'Status: 5.1.10 (unknown recipient)',
  'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {rcpt} not found by SMTP address lookup',
  'X-Display-Name: Amara',
  '',
  '--9d1e_outer',
  'Content-Type: message/rfc822',
  '',
  'To: {rcpt}',
  'Subject: Hallo',
  '',
  'Hallo',
  '--9d1e_outer--'
)

/** Gmail: a folded To field, a diagnosis of several lines, a picture among the parts. */
export const GMAIL = lines(
  'Delivered-To: {to}',
  'Return-Path: <>',
  'From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
  'To:',
  ' {to}',
  'Auto-Submitted: auto-replied',
  'Subject: Delivery Status Notification (Failure)',
  'Content-Type: multipart/report; boundary="00000000000b"; report-type=delivery-status',
  '',
  '--00000000000b',
  'Content-Type: multipart/related; boundary="00000000000c"',
  '',
  '--00000000000c',
  'Content-Type: text/plain; charset="UTF-8"',
  '',
  '** Address not found **',
  '--00000000000c',
  'Content-Type: image/png; name="icon.png"',
  'Content-Transfer-Encoding: base64',
  'Content-ID: <icon.png>',
  '',
  'iVBORw0KGgo=',
  '--00000000000c--',
  '',
  '--00000000000b',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; googlemail.example',
  'Arrival-Date: Sat, 21 Nov 2026 02:00:00 -0800 (PST)',
  'X-Original-Message-ID: <0192@company.example>',
  '',
  'Final-Recipient: rfc822; {rcpt}',
  'Action: failed',
  'Status: 5.1.1',
  'Remote-MTA: dns; gmail-smtp-in.example. (2001:db8::1, the server for the domain.)',
  'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try',
  " 550-5.1.1 double-checking the recipient's email address for typos or",
  ' 550 5.1.1 unnecessary spaces.',
  'Last-Attempt-Date: Sat, 21 Nov 2026 02:00:01 -0800 (PST)',
  '',
  '--00000000000b--'
)

export const DELAYED = POSTFIX.replace('Action: failed', 'Action: delayed')
  .replace('Status: 5.1.1', 'Status: 4.4.1')
  .replace(
    /Diagnostic-Code:.*\r\n.*\r\n/,
    'Diagnostic-Code: X-Postfix; connect to mail.example.org: timed out\r\n'
  )

/** A failure after days of retries. */
export const EXPIRED = DELAYED.replace('Action: delayed', 'Action: failed').replace('4.4.1', '4.4.7')

export const OUT_OF_OFFICE = lines(
  'From: {rcpt}',
  'To: {to}',
  'Subject: Out of office: Hello',
  'Auto-Submitted: auto-replied',
  'X-Auto-Response-Suppress: All',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'I am away.',
  '',
  'Final-Recipient: rfc822; {rcpt}',
  'Action: failed',
  'Status: 5.1.1'
)

/** A read receipt (RFC 8098), which is another kind of report. */
export const READ = lines(
  'From: {rcpt}',
  'To: {to}',
  'Subject: Read: Hello',
  'Content-Type: multipart/report; report-type=disposition-notification; boundary=r',
  '',
  '--r',
  'Content-Type: text/plain',
  '',
  'It was displayed.',
  '--r',
  'Content-Type: message/disposition-notification',
  '',
  'Final-Recipient: rfc822; {rcpt}',
  'Disposition: manual-action/MDN-sent-manually; displayed',
  '--r--'
)

export const about = (report: string, to: string, rcpt: string): string =>
  report.replaceAll('{to}', () => to).replaceAll('{rcpt}', () => rcpt)
