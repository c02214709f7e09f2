// Serves the built files: the kit for pages of any origin, and the files of the demo page.

import { readdirSync } from 'node:fs'
import { extname } from 'node:path'

import { static as folder, type Request, type RequestHandler, type Response } from 'express'

import { READER_TIMEOUT_MS } from './write-response.ts'

/** Names with a digest of the content, or a version, so the file never changes. */
const FIXED = /-[\w-]{8}\.(?:js|css|woff2?)$|notif@[\w.-]+\.js$/

/** Compressed variants that the build writes, best first: file ending and encoding name. */
const ENCODINGS = [
  ['.br', 'br'],
  ['.gz', 'gzip']
] as const

type Encoding = (typeof ENCODINGS)[number]

/** Paths of all built files. Files of a later build are served as well, but not compressed. */
const listPaths = (dist: string): ReadonlySet<string> => {
  try {
    return new Set(readdirSync(dist, { encoding: 'utf8', recursive: true }).map(name => `/${name}`))
  } catch {
    return new Set()
  }
}

/** @returns undefined if there is no compressed variant that the client accepts */
function chooseEncoding(
  request: Request,
  response: Response,
  paths: ReadonlySet<string>
): Encoding | undefined {
  const found = ENCODINGS.filter(([ending]) => paths.has(request.path + ending))
  if (found.length === 0) return undefined
  response.vary('Accept-Encoding')
  return found.find(([, name]) => request.acceptsEncodings(name))
}

/** @param dist - folder of the built files. Requests for other files go to the next handler. */
export function serveFiles(dist: string, readerTimeoutMs = READER_TIMEOUT_MS): RequestHandler {
  const paths = listPaths(dist)
  const files = folder(dist, {
    // Routes serve the pages.
    extensions: false,
    index: false,
    redirect: false,
    setHeaders(response, path) {
      // Set here and not for every request: other requests may take longer.
      response.setTimeout(readerTimeoutMs)
      response.setHeader(
        'cache-control',
        FIXED.test(path.replace(/\.(?:br|gz)$/, '')) ? 'public, max-age=31536000, immutable' : 'no-cache'
      )
      // Script tags of other sites load these files as modules, which needs both headers.
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('cross-origin-resource-policy', 'cross-origin')
      response.setHeader('x-content-type-options', 'nosniff')
    }
  })
  return (request, response, next) => {
    const name = request.path.slice(request.path.lastIndexOf('/') + 1)
    // Most requests cannot be for a file: they need no disk access.
    if (!/\.\w{1,12}$/.test(name) || name.endsWith('.html')) next()
    else {
      const { path, url } = request
      const encoding = chooseEncoding(request, response, paths)
      if (!encoding) return files(request, response, next)
      request.url = path + encoding[0]
      response.type(extname(path)).setHeader('content-encoding', encoding[1])
      files(request, response, error => {
        // A running build has deleted the compressed file.
        request.url = url
        response.removeHeader('content-encoding')
        response.removeHeader('content-type')
        if (error) next(error)
        else files(request, response, next)
      })
    }
  }
}
