// Where a user is reached on a channel, and whether mail to there came back. Pure.

import type { Channel } from '#protocol'

import type { Device, DeviceInfo } from '../../users/device.ts'
import type { Contact } from '../../users/users.sql.ts'
import type { Recipient } from '../send-request.ts'

/** Address, number or device. */
export interface Target {
  readonly to: string
  readonly device?: DeviceInfo
}

/** Address, number or devices of a user on a channel. */
export function targetsFor(channel: Channel, user: Recipient, devices: readonly Device[]): Target[] {
  if (channel === 'PUSH' || channel === 'WEB_PUSH') {
    return devices
      .filter(({ kind }) => (kind === 'web') === (channel === 'WEB_PUSH'))
      .map(({ to, ...device }) => ({ device, to }))
  }
  const to = addressFor(channel, user)
  return to === undefined ? [] : [{ to }]
}

function addressFor(channel: Channel, user: Recipient): string | undefined {
  if (channel === 'EMAIL') return user.email
  if (channel === 'SMS' || channel === 'CALL') return user.number
  if (channel === 'SLACK') return user.slackChannel
  return user.id
}

/** Whether mail to this address came back. */
export const isBounced = (channel: Channel, { to }: Target, { bounce }: Contact): boolean =>
  channel === 'EMAIL' && bounce?.address === to.toLowerCase()

/** For the sentence about it. */
export const whyBounced = ({ bounce }: Contact): string | undefined =>
  bounce && ` on ${bounce.at.slice(0, 10)} (${bounce.code})`
