// The built files: the kit for any page of any origin, and what the demo page shows.

import { readdirSync } from 'node:fs'
import { extname } from 'node:path'

import { static as folder, type Request, type RequestHandler, type Response } from 'express'

import { READER_TIMEOUT_MS } from './write-response.ts'

/** These names hold a digest of the content or a version, so they never change. */
const FIXED = /-[\w-]{8}\.(?:js|css|woff2?)$|notif@[\w.-]+\.js$/

/** What the build writes beside a file, best first: the ending and the name of the encoding. */
const ENCODINGS = [
  ['.br', 'br'],
  ['.gz', 'gzip']
] as const

type Encoding = (typeof ENCODINGS)[number]

/** Addresses of all files of the build; a build that comes later is served too, but not compressed. */
const addressesIn = (dist: string): ReadonlySet<string> => {
  try {
    return new Set(readdirSync(dist, { encoding: 'utf8', recursive: true }).map(name => `/${name}`))
  } catch {
    return new Set()
  }
}

/** The compressed file that the build has made for this request, where there is one that the client takes. */
function compressed(request: Request, response: Response, known: ReadonlySet<string>): Encoding | undefined {
  const found = ENCODINGS.filter(([ending]) => known.has(request.path + ending))
  if (found.length === 0) return undefined
  response.vary('Accept-Encoding')
  return found.find(([, name]) => request.acceptsEncodings(name))
}

/**
 * @param dist - the folder of the build; files that are not there are left to whoever comes next
 */
export function serveFiles(dist: string, readerTimeoutMs = READER_TIMEOUT_MS): RequestHandler {
  const known = addressesIn(dist)
  const files = folder(dist, {
    // Pages are filled in by their routes.
    extensions: false,
    index: false,
    redirect: false,
    setHeaders(response, path) {
      // Here, because until now it may have been no file: who asks for something else waits as long as that takes.
      response.setTimeout(readerTimeoutMs)
      response.setHeader(
        'cache-control',
        FIXED.test(path.replace(/\.(?:br|gz)$/, '')) ? 'public, max-age=31536000, immutable' : 'no-cache'
      )
      // A script tag on somebody else's site loads these as modules, which needs both.
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('cross-origin-resource-policy', 'cross-origin')
      response.setHeader('x-content-type-options', 'nosniff')
    }
  })
  return (request, response, next) => {
    const name = request.path.slice(request.path.lastIndexOf('/') + 1)
    // No look at the disk for addresses that cannot be files: these are most of them.
    if (!/\.\w{1,12}$/.test(name) || name.endsWith('.html')) next()
    else {
      const { path, url } = request
      const encoding = compressed(request, response, known)
      if (!encoding) return files(request, response, next)
      request.url = path + encoding[0]
      response.type(extname(path)).setHeader('content-encoding', encoding[1])
      files(request, response, error => {
        // A build that runs at this moment has taken it away.
        request.url = url
        response.removeHeader('content-encoding')
        response.removeHeader('content-type')
        if (error) next(error)
        else files(request, response, next)
      })
    }
  }
}
