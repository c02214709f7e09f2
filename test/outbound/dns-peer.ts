// A real DNS server that answers queries for a name from a list, repeats the last entry, and sets TTL 0.

import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { once } from 'node:events'
import { isIP, type LookupFunction } from 'node:net'

/** Addresses of the first, second, ... answer. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>

export interface DnsPeer extends AsyncDisposable {
  readonly lookup: LookupFunction
  /** Questions for IPv4 addresses so far. */
  asked(name: string): number
}

const A = 1
const AAAA = 28

const nameIn = (question: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { end: at + 5, name: labels.join('.').toLowerCase() }
}

function toBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // The only form that the tests need: ::ffff:a.b.c.d
  return Buffer.concat([Buffer.alloc(10), Buffer.from([255, 255]), toBytes(address.slice(7))])
}

export async function dnsPeer(zone: Zone): Promise<DnsPeer> {
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const { end, name } = nameIn(question)
    const type = question.readUInt16BE(end - 4)
    const answers = zone[name] ?? []
    const count = counts.get(name) ?? 0
    if (type === A) counts.set(name, count + 1)
    const wanted = type === A ? 4 : type === AAAA ? 6 : 0
    const found = (answers[Math.min(count, answers.length - 1)] ?? []).filter(one => isIP(one) === wanted)
    const head = Buffer.from(question.subarray(0, end))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(found.length, 6)
    head.fill(0, 8, 12)
    const records = found.map(address => {
      const data = toBytes(address)
      return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
    })
    socket.send(Buffer.concat([head, ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])

  return {
    asked: name => counts.get(name) ?? 0,
    lookup(name, { all }, done) {
      resolver.resolve4(name, (_, v4 = []) => {
        resolver.resolve6(name, (error, v6 = []) => {
          const found = [...v4, ...v6].map(address => ({ address, family: isIP(address) }))
          const [first] = found
          if (!first) done(error ?? new Error(`${name} has no address`), '')
          else if (all) done(null, found)
          else done(null, first.address, first.family)
        })
      })
    },
    async [Symbol.asyncDispose]() {
      resolver.cancel()
      socket.close()
      await once(socket, 'close')
    }
  }
}
