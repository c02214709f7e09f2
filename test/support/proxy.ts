// Starts real proxies with the configuration of docs/operator.md; only ports, certificate and path are replaced.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { freePort, isListening } from './port.ts'
import { temporaryDir, until } from './process.ts'
import { TLS } from './tls.ts'

export interface Proxy extends AsyncDisposable {
  readonly plain: { readonly base: string; readonly port: number }
  readonly tls: string
  log(): string
}

interface Prepared {
  readonly folder: string
  readonly plain: number
  readonly tls: number
}

type Start = (nodes: readonly [number, number], path?: '' | `/${string}`) => Promise<Proxy>

/** @param language - of the code block of the page */
function readConfiguration(language: string, nodes: readonly [number, number]): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operator.md'), 'utf8')
  const [, lines = ''] = new RegExp(`\`\`\`${language}\n([^\`]*)\`\`\``).exec(page) ?? []
  return lines
    .replace('127.0.0.1:3000', `127.0.0.1:${nodes[0]}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${nodes[1]}`)
}

async function prepare(): Promise<Prepared> {
  const folder = temporaryDir()
  writeFileSync(join(folder, 'cert.pem'), TLS.cert)
  writeFileSync(join(folder, 'cert.key'), TLS.key)
  return { folder, plain: await freePort(), tls: await freePort() }
}

async function run(
  { folder, plain, tls }: Prepared,
  command: string,
  args: readonly string[]
): Promise<Proxy> {
  const child = spawn(command, args, {
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', text => (output += text))
  const ended = once(child, 'close')
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${command} has ended: ${output}`)
    return isListening(plain)
  }, `${command} listens`)
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
    log: () => output,
    plain: { base: `http://127.0.0.1:${plain}`, port: plain },
    tls: `https://127.0.0.1:${tls}`
  }
}

/** @param path - the prefix of both locations, as the page describes it */
export const startNginx: Start = async (nodes, path = '') => {
  const prepared = await prepare()
  const { folder, plain, tls } = prepared
  const lines = readConfiguration('nginx', nodes)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${tls} ssl; listen 127.0.0.1:${plain};`)
    .replaceAll('/etc/ssl/notify.example.com', join(folder, 'cert'))
    .replace('location / {', `location ${path}/ {`)
    .replace('location = /metrics', `location = ${path}/metrics`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`
  )
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
    events {} http { access_log off; ${temporary.join(' ')} ${lines} }`
  writeFileSync(join(folder, 'nginx.conf'), config)
  return await run(prepared, 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')])
}

/** @param path - the prefix of both directives, as the page describes it */
export const startCaddy: Start = async (nodes, path = '') => {
  const prepared = await prepare()
  const { folder, plain, tls } = prepared
  const lines = readConfiguration('caddyfile', nodes)
    .replace('respond /metrics', `respond ${path}/metrics`)
    .replace('reverse_proxy ', path === '' ? 'reverse_proxy ' : `reverse_proxy ${path}/* `)
  const sites = [
    lines.replace('notify.example.com {', `http://127.0.0.1:${plain} {`),
    lines.replace('notify.example.com {', `https://127.0.0.1:${tls} {\n\ttls cert.pem cert.key`)
  ]
  const off = '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n'
  const config =
    off + sites.join('').replace('tls cert.pem cert.key', `tls ${folder}/cert.pem ${folder}/cert.key`)
  writeFileSync(join(folder, 'Caddyfile'), config)
  return await run(prepared, 'caddy', [
    'run',
    '--adapter',
    'caddyfile',
    '--config',
    join(folder, 'Caddyfile')
  ])
}
