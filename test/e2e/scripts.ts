// Records the scripts that a page loads, with their size.

import { gzipSync } from 'node:zlib'

import type { Page } from 'playwright-core'

export interface Script {
  readonly name: string
  /** Bytes, as the strongest gzip makes them. */
  readonly gzip: number
  /** Bytes that came, in whatever form the browser prefers. */
  readonly transferred: number
}

/** Chunks of the transport: socket, HTTP client and web push. */
const TRANSPORT = /^(?:live|http|web-push)-/

export const isTransport = ({ name }: Script): boolean => TRANSPORT.test(name)

export const gzipOf = (scripts: readonly Script[]): number =>
  scripts.reduce((total, { gzip }) => total + gzip, 0)

/** Records scripts from now on; the returned function resolves with them. */
export function watchScripts(page: Page): () => Promise<readonly Script[]> {
  const scripts: Promise<Script>[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    const read = async (): Promise<Script> => ({
      gzip: gzipSync(await response.body(), { level: 9 }).length,
      name: pathname.slice(pathname.lastIndexOf('/') + 1),
      transferred: Number((await response.allHeaders())['content-length'])
    })
    const script = read()
    // A page that closes cannot read what it still loads. Only a caller that asks for the scripts hears of it.
    script.catch(() => {})
    scripts.push(script)
  })
  return () => Promise.all(scripts)
}
