// A delivery status report (RFC 3464) as a mail: what became of it, for each recipient. Pure.

import { statusPartOf } from './report-part.ts'

export interface Report {
  readonly action: 'failed' | 'delayed' | 'delivered'
  /** Where the mail server tried to deliver, and before it was forwarded. */
  readonly recipients: readonly string[]
  /** Enhanced status code (RFC 3463), such as 5.1.1; `''`: none was given. */
  readonly status: string
  /** What the last server said. */
  readonly detail: string
}

/** `relayed` and `expanded` are the last that we shall hear. */
const ACTIONS: Readonly<Record<string, Report['action']>> = {
  delayed: 'delayed',
  delivered: 'delivered',
  expanded: 'delivered',
  failed: 'failed',
  relayed: 'delivered'
}

/**
 * Answers of people and machines (out of office, receipts for reading) are no reports, whatever their headers say.
 *
 * @returns undefined for what is no report
 */
export function reportsOf(raw: Buffer): readonly Report[] | undefined {
  const part = statusPartOf(raw)
  // The first group is about the message.
  return part === undefined ? undefined : groupsOf(part).slice(1).flatMap(reportOf)
}

type Fields = ReadonlyMap<string, string>

/** Groups of header fields with blank lines between them. */
function groupsOf(text: string): Fields[] {
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)
  return blocks
    .filter(block => block.trim() !== '')
    .map(block => {
      const lines = block.replace(/\n[ \t]+/g, ' ').split('\n')
      const fields = lines.map(line => /^([\w-]+)[ \t]*:(.*)$/.exec(line)).filter(found => found !== null)
      return new Map(fields.map(([, name, value]) => [name!.toLowerCase(), value!.trim()]))
    })
}

function reportOf(fields: Fields): Report[] {
  const action = ACTIONS[/^[a-z]+/i.exec(fields.get('action') ?? '')?.[0].toLowerCase() ?? '']
  if (action === undefined) return []
  const recipients = ['original-recipient', 'final-recipient'].flatMap(name => addressIn(fields.get(name)))
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? ''
  const detail = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+ *; */, '')
  return [{ action, detail, recipients: [...new Set(recipients)], status }]
}

/** `rfc822; a+2Bb@x.test` is a+b@x.test: xtext of RFC 3461. */
function addressIn(text: string | undefined): string[] {
  const [, kind = '', address = ''] = /^([\w-]+) *; *<?([^<>\s]+@[^<>\s]+)>?/.exec(text ?? '') ?? []
  if (address === '') return []
  const decoded = /^rfc822$/i.test(kind)
    ? address.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : address
  return [...new Set([address, decoded])]
}
