// WebKit, the engine of Safari: Debian's WebKitGTK with its MiniBrowser, on a display of its own without a screen.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { freePort, isListening } from '../../support/port.ts'
import { until } from '../../support/process.ts'
import type { Browser, Engine } from './engine.ts'
import { openSession } from './web-driver.ts'

const runs = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: 'ignore' }).error === undefined

/** Ends the process, and waits until it has ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** A test process that ends by itself leaves none behind. */
function endWithProcess(child: ChildProcess): void {
  process.once('exit', () => child.kill('SIGKILL'))
}

/** @returns the process and its name, such as `:7`, which it chooses itself */
async function startDisplay(): Promise<{ readonly child: ChildProcess; readonly name: string }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe']
  })
  endWithProcess(child)
  let text = ''
  for await (const part of child.stdio[3] as AsyncIterable<Buffer>) {
    text += part.toString()
    if (text.endsWith('\n')) return { child, name: `:${text.trim()}` }
  }
  throw new Error('Xvfb ended without a display.')
}

async function launch(): Promise<Browser> {
  await using started = new AsyncDisposableStack()
  const display = await startDisplay()
  started.defer(() => end(display.child))
  const port = await freePort()
  const { WAYLAND_DISPLAY: _wayland, ...inherited } = process.env
  const child = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: {
      ...inherited,
      // Otherwise it would start a message bus, which nobody ends.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      DISPLAY: display.name,
      GDK_BACKEND: 'x11',
      GSETTINGS_BACKEND: 'memory',
      NO_AT_BRIDGE: '1'
    },
    stdio: 'ignore'
  })
  endWithProcess(child)
  started.defer(() => end(child))
  await until(() => isListening(port), 'WebKitWebDriver listens')
  const rest = started.move()
  return {
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
    openSession: size => openSession(`http://127.0.0.1:${port}`, size)
  }
}

export const webkit: Engine = {
  launch,
  missing:
    runs('WebKitWebDriver', '--version') && runs('Xvfb', '-version')
      ? undefined
      : 'no WebKit is here: install webkit2gtk-driver and xvfb',
  name: 'WebKit'
}
