// Send to receipt over the bare servers: what the transports alone need at a rate, for two tabs a message.

import { io } from 'socket.io-client'
import { WebSocket } from 'ws'

import { peer } from './child.ts'
import { atRate, type Receipts } from './rate.ts'

export const TABS = 2
/** People with two tabs each; messages go round among them. */
export const USERS = 50
export const userOf = (key: number): string => `user${key % USERS}`

const TEXT = 'Jonas Lindqvist commented on Harbour map'
const people = Array.from({ length: USERS }, (_, i) => userOf(i))

/** @param database - where each message is a committed row before it is told; none: it is only passed on */
export async function socketIoEcho(perSecond: number, seconds: number, database?: string): Promise<Receipts> {
  await using server = await peer('socket-io', ...(database === undefined ? [] : [database]))
  return await atRate(perSecond, seconds, TABS, async received => {
    const open = (userId: string): Promise<ReturnType<typeof io>> =>
      new Promise(resolve => {
        const socket = io(`http://127.0.0.1:${server.port}`, {
          auth: { userId },
          forceNew: true,
          transports: ['websocket']
        })
        socket.on('echo', ({ key }: { key: number }) => received(key))
        socket.once('ready', () => resolve(socket))
      })
    const tabs = await Promise.all(people.flatMap(userId => Array.from({ length: TABS }, () => open(userId))))
    return {
      close: () => tabs.forEach(socket => socket.disconnect()),
      // As loud as a tab: it hears itself too.
      send: key => tabs[(key % USERS) * TABS]!.emit('echo', { key, text: TEXT })
    }
  })
}

export async function wsEcho(perSecond: number, seconds: number): Promise<Receipts> {
  await using server = await peer('ws')
  return await atRate(perSecond, seconds, TABS, async received => {
    const open = (userId: string): Promise<WebSocket> =>
      new Promise(resolve => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/?userId=${userId}`, {
          perMessageDeflate: false
        })
        socket.on('message', data => {
          const message = JSON.parse(String(data)) as 'ready' | { key: number }
          if (message === 'ready') resolve(socket)
          else received(message.key)
        })
      })
    const tabs = await Promise.all(people.flatMap(userId => Array.from({ length: TABS }, () => open(userId))))
    return {
      close: () => tabs.forEach(socket => socket.close()),
      send: key => tabs[(key % USERS) * TABS]!.send(JSON.stringify({ key, text: TEXT }))
    }
  })
}
