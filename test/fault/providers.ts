// Starts all fake providers with one fault mode: email, SMS, calls, and pushes to every kind of device.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDir } from '../support/process.ts'
import { TLS } from '../support/tls.ts'
import { openApplePeer } from './apple-peer.ts'
import { openGateway, openPushService } from './http-peer.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { openMailPeer } from './mail-peer.ts'

export interface Providers extends AsyncDisposable {
  readonly ledger: Ledger
  /** Settings of the node with this number, so that each provider knows which node sent a message. */
  envOf(node: number): Readonly<Record<string, string>>
  /** Push subscription of a user's browser. */
  subscription(user: number): object
}

export async function openProviders(): Promise<Providers> {
  const ledger = openLedger()
  await using stack = new AsyncDisposableStack()
  const gateway = stack.use(await openGateway(ledger))
  const push = stack.use(await openPushService(ledger))
  const peers = [gateway, push, stack.use(await openMailPeer(ledger)), stack.use(await openApplePeer(ledger))]
  const certificate = join(temporaryDir(), 'peers.pem')
  writeFileSync(certificate, TLS.cert)
  const owned = stack.move()
  return {
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
    envOf: node =>
      Object.assign(
        { NODE_EXTRA_CA_CERTS: certificate, NOTIF_ALLOW_PRIVATE: '127.0.0.0/8,::1/128' },
        ...peers.map(peer => peer.envOf(node))
      ),
    ledger,
    subscription: push.subscription
  }
}
