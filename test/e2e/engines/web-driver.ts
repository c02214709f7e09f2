// A client of W3C WebDriver with the commands that a tab needs: https://www.w3.org/TR/webdriver2/

import { KEYS, type Session, type Size, type Tab } from './engine.ts'

interface Answer {
  readonly value: unknown
}

/** A command may wait for a page that loads on a busy machine. */
const COMMAND_TIMEOUT_MS = 60_000
/** On a busy machine the driver of WebKitGTK 2.50 sometimes misses that its browser has started, and never answers. */
const START_TIMEOUT_MS = 20_000
const MAX_STARTS = 3

/** @throws Error with the driver's own code and message */
async function command(
  method: 'DELETE' | 'GET' | 'POST',
  address: string,
  body?: object,
  timeoutMs = COMMAND_TIMEOUT_MS
): Promise<unknown> {
  const answer = await fetch(address, {
    // A POST without parameters has an empty object.
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    method,
    signal: AbortSignal.timeout(timeoutMs)
  })
  const { value } = (await answer.json()) as Answer
  if (answer.ok) return value
  const { error, message } = value as { readonly error: string; readonly message: string }
  throw new Error(`${method} ${new URL(address).pathname}: ${error}: ${message}`)
}

/** The script of "Execute Async Script": ends with the value of the expression, or with its error. */
const scriptOf = (expression: string): string => `
  const done = arguments[arguments.length - 1]
  ;(async () => (${expression}))().then(value => done({ value }), error => done({ error: String(error) }))`

async function start(base: string): Promise<string> {
  for (let starts = 1; ; starts++) {
    try {
      const { sessionId } = (await command(
        'POST',
        `${base}/session`,
        { capabilities: {} },
        START_TIMEOUT_MS
      )) as { readonly sessionId: string }
      return sessionId
    } catch (error) {
      if (starts === MAX_STARTS) throw error
    }
  }
}

/** @param base - of the driver */
export async function openSession(base: string, size: Size): Promise<Session> {
  const sessionId = await start(base)
  const session = `${base}/session/${sessionId}`
  const handles = async (): Promise<string[]> =>
    (await command('GET', `${session}/window/handles`)) as string[]
  /** The first tab is there with the session. */
  let first: string | undefined = (await handles())[0]
  let current = first
  /** Commands go to the current tab, so that only one may be under way. */
  let last: Promise<unknown> = Promise.resolve()

  async function openTab(): Promise<Tab> {
    // A window of its own: WebKitGTK does not draw a tab behind another.
    const handle =
      first ??
      ((await command('POST', `${session}/window/new`, { type: 'window' })) as { handle: string }).handle
    first = undefined

    const run = (method: 'DELETE' | 'GET' | 'POST', path: string, body?: object): Promise<unknown> => {
      const mine = last.then(async () => {
        if (current !== handle) await command('POST', `${session}/window`, { handle })
        current = handle
        return command(method, `${session}/${path}`, body)
      })
      last = mine.catch(() => {})
      return mine
    }
    const act = (actions: object): Promise<unknown> => run('POST', 'actions', { actions: [actions] })
    const mouse = (...actions: readonly object[]): Promise<unknown> =>
      act({ actions, id: 'mouse', parameters: { pointerType: 'mouse' }, type: 'pointer' })
    async function evaluate<T>(expression: string): Promise<T> {
      const script = scriptOf(expression)
      const { error, value } = (await run('POST', 'execute/async', { args: [], script })) as {
        readonly error?: string
        readonly value: T
      }
      if (error !== undefined) throw new Error(error)
      return value
    }
    async function resize(to: Size): Promise<void> {
      // The window has a tool bar, which is higher if there are tabs.
      const rect = (height: number): Promise<unknown> =>
        run('POST', 'window/rect', { height, width: to.width })
      await rect(to.height)
      const inner = await evaluate<number>('innerHeight')
      if (inner !== to.height) await rect(to.height + to.height - inner)
    }

    await resize(size)
    return {
      async back() {
        await run('POST', 'back')
      },
      async bringToFront() {
        await run('GET', 'title')
      },
      async click() {
        await mouse({ button: 0, type: 'pointerDown' }, { button: 0, type: 'pointerUp' })
      },
      async close() {
        await run('DELETE', 'window')
        current = undefined
      },
      evaluate,
      async goto(url) {
        await run('POST', 'url', { url })
      },
      async moveTo(x, y) {
        await mouse({
          duration: 0,
          origin: 'viewport',
          type: 'pointerMove',
          x: Math.round(x),
          y: Math.round(y)
        })
      },
      async press(key) {
        const values = key.split('+').map(name => KEYS[name] ?? name)
        const down = values.map(value => ({ type: 'keyDown', value }))
        const up = values.toReversed().map(value => ({ type: 'keyUp', value }))
        await act({ actions: [...down, ...up], id: 'keyboard', type: 'key' })
      },
      resize,
      screenshot: async () => Buffer.from((await run('GET', 'screenshot')) as string, 'base64')
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      await last
      await command('DELETE', session)
    },
    openTab
  }
}
