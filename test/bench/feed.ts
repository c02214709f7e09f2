// Long lists beside lists made by hand and beside the published kits of others: how soon they can be used, how soon all
// of them is there, and one more row that arrives live.
//
// Ours and the one made by hand get a thousand rows from our server and its database, and ten thousand from a file; the
// kits of others get both from a stand-in that answers from memory.

import { join } from 'node:path'

import type { Browser } from 'playwright-core'

import { testDb } from '../support/db.ts'
import { ensureInstalled } from '../support/install-packages.ts'
import { bundle, openBrowser, site } from './browser.ts'
import { LIVE, visit, type Times } from './list-page.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash, type Server } from './server.ts'
import { standIn, type Row, type StandIn } from './stand-in.ts'

const ROWS = 1000
const MANY = 10_000
const USER = 'ada'
const BODY = 'Could the ferry line move a little north?'
const LINK = '/maps/7'

async function send(server: Server, title: string): Promise<void> {
  const answer = await fetch(`${server.base}/${CLIENT}/sender`, {
    body: JSON.stringify({
      inapp: { body: BODY, title, url: LINK },
      to: { id: USER },
      type: 'bench_feed'
    }),
    headers: { authorization: BACK_END },
    method: 'POST'
  })
  if (!answer.ok) throw new Error(`A send was answered with ${answer.status}.`)
}

const rowOf = (index: number, title = `Comment ${index} on Harbour map`): Row => ({
  body: BODY,
  date: new Date(Date.now() - index * 37_000).toISOString(),
  id: `n${index}`,
  redirectURL: LINK,
  rev: 1,
  title,
  type: 'bench_feed'
})
const rowsOf = (count: number): readonly Row[] => Array.from({ length: count }, (_, index) => rowOf(index))

/** The list of a page's own: what the server gives at once ends at a thousand. */
const OWN = '/inbox.json'
const own = (): string => JSON.stringify(rowsOf(MANY))

/** One of those who take turns. */
interface Contender {
  readonly name: string
  /** Part of the address from which it has its rows. */
  readonly asks: string
  /** Script of its page, from test/bench/pages. */
  readonly script: string
  readonly list: string
  readonly shadow?: string
  readonly blocks?: true
  /** Its package in peers-kits; absent: ours, and the list made by hand. */
  readonly from?: string
}

const KITS = join(import.meta.dirname, 'peers-kits')
const INBOX = '/inbox'
const VANILLA: Contender = { asks: INBOX, list: 'ol', name: 'vanilla', script: 'vanilla.ts' }
const OURS: Contender = {
  asks: INBOX,
  blocks: true,
  list: '.items',
  name: 'feed',
  script: 'feed.ts',
  shadow: 'notif-feed'
}
const PEERS: readonly Contender[] = [
  {
    asks: '/courier/q',
    from: '@trycourier/courier-ui-inbox',
    list: 'courier-inbox-list ul',
    name: 'Courier',
    script: '../peers-kits/courier.mjs'
  },
  {
    asks: '/feeds/',
    from: '@knocklabs/react',
    list: '.rnf-notification-feed__feed-items-container',
    name: 'Knock',
    script: '../peers-kits/knock.mjs'
  }
]

/** The others, if their packages are there or can be had. */
function peers(say: Say['say']): readonly Contender[] {
  try {
    for (const { from } of PEERS) ensureInstalled(KITS, from!)
    return PEERS
  } catch (error) {
    say(`without the kits of others: ${(error as Error).message.split('\n', 1)[0]}`)
    return []
  }
}

interface Race {
  readonly browser: Browser
  readonly contenders: readonly Contender[]
  readonly rounds: number
  readonly say: Say['say']
  readonly rows: number
  address(contender: Contender): string
  /** Makes a row arrive; absent: none does. */
  live?(contender: Contender): unknown
}

/** What is told of a visit. */
const FIGURES = {
  usable: ({ usable }) => usable,
  complete: ({ complete }) => complete,
  answerToUsable: ({ answered, usable }) => usable - answered,
  answerToComplete: ({ answered, complete }) => complete - answered,
  usableWork: ({ usableWork }) => usableWork,
  work: ({ work }) => work,
  longest: ({ longest }) => longest,
  live: ({ live }) => live,
  frame: ({ frame }) => frame,
  liveWork: ({ liveWork }) => liveWork
} satisfies Readonly<Record<string, (times: Times) => number>>
type Figure = keyof typeof FIGURES

/** All of them in turns. */
async function race({ address, browser, contenders, live, rounds, rows, say }: Race) {
  const seen = new Map(contenders.map(contender => [contender, [] as Times[]]))
  // The first visit of each warms the browser up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [contender, list] of seen) {
      const { asks, blocks, list: selector, name, shadow } = contender
      const place = { asks, blocks, list: selector, rows, shadow }
      const times = await visit(browser, address(contender), place, live && (() => live(contender)))
      if (round > 0) list.push(times)
      const told = Object.entries(FIGURES).map(([key, read]) => `${key} ${read(times).toFixed(0)}`)
      say(`${name}, ${rows} rows: ${told.join(', ')} ms`)
    }
  }
  const all = (contender: Contender, figure: Figure): readonly number[] =>
    seen.get(contender)!.map(FIGURES[figure])
  /** One line for each of the others; what is ours alone stands on the first. */
  return (key: Figure, name: string, promised?: readonly [number, number]): readonly Measurement[] => {
    const [first, ...rest] = contenders
      .filter(contender => contender !== OURS)
      .map((other): Measurement => ({
        better: 'below',
        ceiling: { name: other.name, value: median(all(other, key)) },
        name,
        ours: median(all(OURS, key)),
        ratio: median(all(OURS, key).map((time, round) => time / all(other, key)[round]!)),
        unit: 'ms'
      }))
    const goal = promised && { floor: promised[0], goal: promised[1], promised: 'value' as const }
    const facts = key === 'complete' && { facts: { longestTaskMeanwhile: median(all(OURS, 'longest')) } }
    return [{ ...first!, ...goal, ...facts }, ...rest]
  }
}

const html = (name: string): string =>
  `<!doctype html><html lang="en"><title>${name}</title><link rel="icon" href="data:,"><body><script type="module" src="/${name}.js"></script></body></html>`

async function pages(contenders: readonly Contender[]): Promise<Record<string, string>> {
  const files: Record<string, string> = { [OWN]: own() }
  for (const { name, script } of contenders) {
    files[`/${name}`] = html(name)
    files[`/${name}.js`] = await bundle(script)
  }
  return files
}

export async function feed({ rounds, say }: Say): Promise<Measurement[]> {
  const contenders = [VANILLA, OURS, ...peers(say)]
  await using database = await testDb()
  await using server = await serve(database.url)
  for (let n = 0; n < ROWS; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => send(server, `Comment ${n + i} on Harbour map`)))
  }
  await using host = await site(await pages(contenders))
  await using few = await standIn(rowsOf(ROWS))
  await using many = await standIn(rowsOf(MANY))
  const browser = await openBrowser()
  const query = { apiUrl: server.base, clientId: CLIENT, userHash: userHash(USER), userId: USER }
  const at = ({ from, name }: Contender, others: StandIn, ours: Record<string, string>): string =>
    `${host.base}/${name}?${new URLSearchParams(from ? { base: others.base } : ours)}`
  try {
    const thousand = await race({
      address: contender => at(contender, few, query),
      browser,
      contenders,
      live: ({ from }) => (from ? few.publish(rowOf(-1, LIVE)) : send(server, LIVE)),
      rounds,
      rows: ROWS,
      say
    })
    const tenThousand = await race({
      address: contender => at(contender, many, { list: OWN }),
      browser,
      contenders,
      rounds,
      rows: MANY,
      say
    })
    return [
      ...thousand('usable', `${ROWS} rows, page start to usable`, [291, 100]),
      ...thousand('complete', `${ROWS} rows, page start to complete`),
      ...thousand('answerToUsable', `${ROWS} rows, answer to usable`, [291, 100]),
      ...thousand('answerToComplete', `${ROWS} rows, answer to complete`),
      ...thousand('usableWork', `${ROWS} rows, main thread from answer to usable`),
      ...thousand('work', `${ROWS} rows, main thread from answer to complete`, [291, 100]),
      ...thousand('live', `one live row into ${ROWS}, message to paint`, [22, 10]),
      ...thousand('frame', `one live row into ${ROWS}, message to the end of its frame`),
      ...thousand('liveWork', `one live row into ${ROWS}, main thread meanwhile`, [22, 10]),
      ...tenThousand('usable', `${MANY} rows, page start to usable`, [451, 250]),
      ...tenThousand('complete', `${MANY} rows, page start to complete`),
      ...tenThousand('answerToUsable', `${MANY} rows, answer to usable`, [451, 250]),
      ...tenThousand('work', `${MANY} rows, main thread from answer to complete`)
    ]
  } finally {
    await browser.close()
  }
}
