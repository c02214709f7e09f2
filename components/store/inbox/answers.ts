// Buttons of notifications and replies. They are sent at once and do not wait for a network: the user sees whether they arrived.

import type { InboxChange, InboxPatch, Notif, NotifId } from '../../protocol/index.ts'
import { TransportError, type Transport } from '../transport.ts'
import type { InboxStore } from '../types.ts'

interface Options {
  readonly transport: Pick<Transport, 'patch' | 'press'>
  /** Now, by the server's clock. */
  readonly now: () => string
  /** Loads the list if it does not contain the notification, which may be shown by a toast only. */
  readonly findItem: (id: NotifId) => Promise<Notif | undefined>
  readonly onConfirmed: (change: InboxChange) => void
}

const POSITIONS = ['actioned1', 'actioned2'] as const

export function createAnswers({
  findItem,
  now,
  onConfirmed,
  transport
}: Options): Pick<InboxStore, 'act' | 'reply'> {
  const send = async (patch: Omit<InboxPatch, 'trackingIds'>, id: NotifId): Promise<void> =>
    onConfirmed(await transport.patch({ ...patch, trackingIds: [id] }))

  return {
    async act(id, actionId) {
      const actions = (await findItem(id))?.actions ?? []
      const position = actions.findIndex(action => action.id === actionId)
      const mark = POSITIONS[position]
      if (!mark) throw new TransportError(404, 'The notification has no such button.')
      if (!actions[position]!.send) return send({ [mark]: now(), opened: now() }, id)
      if (!transport.press) throw new TransportError(0, 'This transport cannot press buttons.')
      onConfirmed(await transport.press(id, actionId))
    },
    reply: (id, message) => send({ opened: now(), reply: { date: now(), message } }, id)
  }
}
