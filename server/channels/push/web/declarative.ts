// The declarative part of a web push, which Safari and iOS (from 18.4) and other new browsers show without the service worker:
// https://www.w3.org/TR/push-api/#declarative-push-message. Other browsers give the whole payload to the worker.

import { truncateText } from '../truncate.ts'
import { MAX_PAYLOAD_BYTES } from './request.ts'

/** Marks a declarative message: the number of the RFC of web push. */
const MARKER = 8030

/** More than any system shows. The rest of the payload is for the text that the worker reads. */
const MAX_BODY_BYTES = 600

/** Required by the standard. Opened by a click on a notification without an address: the start page of the site. */
const START_PAGE = '/'

const BASE = 'https://site.invalid'

export interface DeclarativePush {
  readonly web_push: typeof MARKER
  readonly notification: {
    readonly title: string
    readonly body: string
    /** Address that a click opens. A path belongs to the site that subscribed. */
    readonly navigate: string
    readonly tag: string
    readonly icon?: string
  }
  /** Number on the icon of an installed app. */
  readonly app_badge?: number
}

interface Content {
  readonly title: string
  readonly message: string
  readonly icon?: string
  readonly tag: string
  readonly url?: string
}

/** As in the service worker: only http and https, and no address that looks like another one (`https://bank.example@evil`). */
function toNavigate(url: string | undefined): string {
  if (!url || !URL.canParse(url, BASE)) return START_PAGE
  const { password, protocol, username } = new URL(url, BASE)
  return /^https?:$/.test(protocol) && username + password === '' ? url : START_PAGE
}

/**
 * @param unseen - the number on the badge of the user; undefined: not known
 * @returns undefined if it would need more than half of the payload; then only the worker shows the message
 */
export function buildDeclarativePush(
  { icon, message, tag, title, url }: Content,
  unseen?: number
): DeclarativePush | undefined {
  const body = truncateText(message, MAX_BODY_BYTES, text => Buffer.byteLength(text))
  const push: DeclarativePush = {
    notification: {
      body: body.ok ? body.message : '',
      navigate: toNavigate(url),
      tag,
      title,
      ...(icon && { icon })
    },
    web_push: MARKER,
    ...(unseen !== undefined && { app_badge: unseen })
  }
  return Buffer.byteLength(JSON.stringify(push)) > MAX_PAYLOAD_BYTES / 2 ? undefined : push
}
