// Reads a delivery status report (RFC 3464): the outcome for each recipient.

import { findStatusPart } from './report-part.ts'

export interface Report {
  readonly action: 'failed' | 'delayed' | 'delivered'
  /** The address that the mail server tried, and the one before it was forwarded. */
  readonly recipients: readonly string[]
  /** Enhanced status code (RFC 3463), such as 5.1.1, or `''`. */
  readonly status: string
  /** Text of the last server. */
  readonly detail: string
}

/** Nothing follows `relayed` and `expanded`. */
const ACTIONS: Readonly<Record<string, Report['action']>> = {
  delayed: 'delayed',
  delivered: 'delivered',
  expanded: 'delivered',
  failed: 'failed',
  relayed: 'delivered'
}

/** @returns undefined if the email is no report, such as an out-of-office reply or a read receipt */
export function readReports(raw: Buffer): readonly Report[] | undefined {
  const part = findStatusPart(raw)
  // The first group is about the message.
  return part === undefined ? undefined : splitGroups(part).slice(1).flatMap(readReport)
}

type Fields = ReadonlyMap<string, string>

/** Blank lines separate groups of header fields. */
function splitGroups(text: string): Fields[] {
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)
  return blocks
    .filter(block => block.trim() !== '')
    .map(block => {
      const lines = block.replace(/\n[ \t]+/g, ' ').split('\n')
      const fields = lines.map(line => /^([\w-]+)[ \t]*:(.*)$/.exec(line)).filter(found => found !== null)
      return new Map(fields.map(([, name, value]) => [name!.toLowerCase(), value!.trim()]))
    })
}

function readReport(fields: Fields): Report[] {
  const action = ACTIONS[/^[a-z]+/i.exec(fields.get('action') ?? '')?.[0].toLowerCase() ?? '']
  if (action === undefined) return []
  const recipients = ['original-recipient', 'final-recipient'].flatMap(name =>
    readAddresses(fields.get(name))
  )
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? ''
  const detail = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+ *; */, '')
  return [{ action, detail, recipients: [...new Set(recipients)], status }]
}

/** `rfc822; a+2Bb@x.test` means a+b@x.test (xtext, RFC 3461). Both forms are returned, because not all servers encode. */
function readAddresses(text: string | undefined): string[] {
  const [, kind = '', address = ''] = /^([\w-]+) *; *<?([^<>\s]+@[^<>\s]+)>?/.exec(text ?? '') ?? []
  if (address === '') return []
  const decoded = /^rfc822$/i.test(kind)
    ? address.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : address
  return [...new Set([address, decoded])]
}
