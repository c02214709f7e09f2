// `npm run demos`: the apps of demo/apps, each with the package as it is published, beside a server of their own.
//
// Frameworks are installed here, at the first run: only the demos need them.

import { execFileSync, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import express from 'express'

import { buildPackage } from './build.ts'

const ROOT = join(import.meta.dirname, '../..')
const APPS = join(ROOT, 'demo/apps')

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Builds package and apps. Installs their frameworks if the lock file is newer than the installed ones. */
export function buildApps(): void {
  buildPackage()
  if (changedAt(join(APPS, 'node_modules/.package-lock.json')) < changedAt(join(APPS, 'package-lock.json'))) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: APPS,
      stdio: 'inherit'
    })
  }
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', APPS, '--logLevel', 'error'], {
    cwd: ROOT,
    stdio: 'inherit'
  })
}

interface Backend {
  /** Address of the notif-kit server. */
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Starts the back end of the apps, with their files and sessions. Returns its address and a function that stops it. */
export async function serveApps(
  { apiUrl, clientId, clientSecret }: Backend,
  port: number
): Promise<{ readonly base: string; close(): void }> {
  const app = express()
  app.get('/session', ({ query }, response) => {
    // A real back end reads the user from its own session.
    const userId = typeof query['user'] === 'string' ? query['user'] : 'amara'
    const userHash = createHmac('sha256', clientSecret).update(userId).digest('base64')
    response.json({ apiUrl, clientId, userHash, userId })
  })
  // A worker must have the origin of its page.
  app.get('/notif-service-worker.js', async ({ path }, response) => {
    response.type('js').send(await (await fetch(apiUrl + path)).text())
  })
  app.use(express.static(join(APPS, 'dist')))
  const server = createServer(app).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}

if (import.meta.main) {
  buildApps()
  const clientId = 'demos'
  const clientSecret = randomBytes(24).toString('base64url')
  const child = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
    env: {
      ...process.env,
      NOTIF_CLIENT_ID: clientId,
      NOTIF_CLIENT_SECRET: clientSecret,
      NOTIF_DATA_DIR: process.env['NOTIF_DATA_DIR'] ?? join(ROOT, '.notif/demos')
    },
    stdio: 'inherit'
  })
  const apiUrl = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`
  const { base, close } = await serveApps({ apiUrl, clientId, clientSecret }, 4000)
  for (const name of ['angular', 'plain', 'react', 'solid', 'svelte', 'vue'])
    process.stdout.write(`${base}/${name}/\n`)
  child.on('exit', close)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
}
