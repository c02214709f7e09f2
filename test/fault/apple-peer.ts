// A fake APNs with fault modes. It speaks HTTP/2, so a broken connection ends every push in progress on it.

import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createSecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'

import { TLS } from '../support/tls.ts'
import type { Ledger } from './ledger.ts'

/** @returns the settings of a node, whose app name contains the number of the node */
export async function openApplePeer({ hear }: Ledger) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sessions = new Set<ServerHttp2Session>()
  const server = createSecureServer({ ...TLS, settings: { maxConcurrentStreams: 1000 } })
  server.on('session', session => {
    sessions.add(session)
    session.on('error', () => {}).on('close', () => sessions.delete(session))
  })
  server.on('sessionError', () => {})
  server.on('stream', (stream, headers) => {
    let raw = ''
    stream.on('error', () => {})
    stream.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk))
    stream.on('end', () => {
      // An incomplete push is ignored.
      if (stream.destroyed || raw === '') return
      const { aps } = JSON.parse(raw) as { aps: { alert: { title: string } } }
      const node = Number(/node(\d+)$/.exec(String(headers['apns-topic']))?.[1])
      const refuse = (status: number, reason: string): void => {
        stream.respond({ ':status': status, 'retry-after': '1' })
        stream.end(JSON.stringify({ reason }))
      }
      hear('APN', aps.alert.title, node, {
        broken: () => refuse(500, 'InternalServerError'),
        busy: () => refuse(503, 'ServiceUnavailable'),
        reset: () => stream.session?.destroy(),
        yes(ref) {
          stream.respond({ ':status': 200, 'apns-id': ref })
          stream.end()
        }
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
    envOf: (node: number) => ({
      NOTIF_APNS_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
      NOTIF_APNS_KEY_ID: 'ABC123DEFG',
      NOTIF_APNS_TEAM_ID: 'TEAM123456',
      NOTIF_APNS_TOPIC: `com.company.node${node}`,
      NOTIF_APNS_URL: `https://localhost:${port}`
    })
  }
}
